//! The price has the same bits for every number of workers.

use superstep::farm;
use superstep_example_monte_carlo::Call;

#[test]
fn every_number_of_workers_gives_the_same_price() {
    let call = Call::of_a_year();
    let paths: Vec<u32> = (0..3000).collect();
    let sum = |workers| {
        let farm = farm::map(paths.clone(), move |&path| call.payoff(path)).workers(workers);
        farm.reduce(|a, b| a + b).unwrap().unwrap()
    };
    let one: f64 = sum(1);
    assert!(one > 0.0);
    for workers in [2, 3, 4, 8] {
        assert_eq!(sum(workers).to_bits(), one.to_bits());
    }
}
