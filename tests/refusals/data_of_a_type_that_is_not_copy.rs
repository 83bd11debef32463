use superstep::kernel;

struct Point {
    x: f64,
}

#[kernel]
fn one(n: usize, point: &mut Point) {
    for _ in 0..n {
        point.x += 1.0;
    }
}

#[kernel]
fn many(points: &mut [Point]) {
    for i in 1..points.len() {
        points[i].x += points[i - 1].x;
    }
}

#[kernel]
fn pairs(x: &mut [(f64, String)]) {
    for i in 1..x.len() {
        x[i].0 += x[i - 1].0;
    }
}

fn main() {}
