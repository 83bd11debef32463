use superstep::kernel;

#[derive(Clone, Copy)]
struct View<'a> {
    words: &'a [f64],
}

#[kernel]
fn k<'a>(view: View<'a>, pairs: &[(f64, &f64)], y: &mut [f64]) {
    y[0] = view.words[0] + *pairs[0].1;
}

fn main() {}
