use superstep::kernel;

struct Cell {
    value: f64,
}

impl Cell {
    fn get() -> &'static mut Cell {
        Box::leak(Box::new(Cell { value: 0.0 }))
    }
}

#[kernel]
fn k(x: &mut [f64]) {
    Cell::get().value = x[0];
}

fn main() {}
