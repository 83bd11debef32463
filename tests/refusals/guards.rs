use superstep::kernel;

#[kernel(plan)]
fn unmarked(n: usize, x: &mut [f64]) -> Result<(), usize> {
    for i in 0..n {
        if x[i] < 0.0 {
            return Err(i);
        }
        x[i] = x[i].sqrt();
    }
    Ok(())
}

#[kernel(plan)]
fn more_than_a_guard(n: usize, x: &mut [f64]) -> Result<(), usize> {
    for i in 0..n {
        #[guard]
        if x[i] < 0.0 {
            return Err(i);
        } else {
            x[i] = x[i].sqrt();
        }
    }
    Ok(())
}

#[kernel(plan)]
fn without_an_error(n: usize, x: &mut [f64]) {
    for i in 0..n {
        #[guard]
        if x[i] < 0.0 {
            return;
        }
        x[i] = x[i].sqrt();
    }
}

#[kernel(plan)]
fn on_a_loop(n: usize, x: &mut [f64]) -> Result<(), usize> {
    #[guard]
    for i in 0..n {
        x[i] = x[i].sqrt();
    }
    Ok(())
}

#[kernel(plan)]
fn a_value(x: &mut [f64]) -> Result<f64, String> {
    x[0] = 1.0;
    Ok(x[0])
}

#[kernel(plan)]
fn other_end(x: &mut [f64]) -> Result<(), String> {
    x[0] = 1.0;
    check(x[0])
}

fn check(_: f64) -> Result<(), String> {
    Ok(())
}

fn main() {}
