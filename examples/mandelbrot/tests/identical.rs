//! The farm gives the iterations of the loop, for every number of workers.

use superstep::farm::{self, Target};
use superstep_example_mandelbrot::{MOST, Picture};

#[test]
fn every_number_of_workers_gives_the_same_picture() {
    let picture = Picture { side: 96 };
    let pixels = picture.pixels();
    let expected: Vec<u32> = pixels.iter().map(|&p| picture.iterations(p)).collect();
    assert!(expected.contains(&MOST) && expected.contains(&1));
    for workers in [1, 2, 3, 7] {
        let farm = || {
            let iterations = move |&pixel: &u32| picture.iterations(pixel);
            farm::map(pixels.clone(), iterations).workers(workers)
        };
        assert_eq!(farm().run().unwrap(), expected);
        let mut sampled = farm().shape(&picture.shape()).sample(Target::default());
        sampled.plan().unwrap();
        assert_eq!(sampled.run().unwrap(), expected);
    }
}
