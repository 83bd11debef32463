use superstep::kernel;

#[kernel]
struct Kernel;

fn main() {}
