use superstep::kernel;

struct Grid {
    n: usize,
    words: Vec<f64>,
}

#[kernel]
fn k(grid: &mut Grid) {
    for i in 0..grid.n {
        grid.words[i] = 0.0;
    }
}

fn main() {}
