use superstep::kernel;

#[kernel]
fn k(rows: &mut [Vec<f64>], x: Vec<u8>) {
    rows[0][0] = f64::from(x[0]);
}

#[kernel]
fn nested(a: &mut Vec<Vec<f64>>, grid: &[Vec<Vec<u32>>], words: &Vec<String>) {
    a[0][0] = f64::from(grid[0][0][0]) + f64::from(words[0].as_bytes()[0]);
}

#[kernel]
fn others(a: Vec<Box<[f64]>>, b: &Vec<[f64; 3]>, c: &[[Vec<f64>; 2]], d: &mut Vec<HashMap<u8, u8>>) {
    d[0] = a[0][0] + b[0][0] + c[0][0][0];
}

fn main() {}
