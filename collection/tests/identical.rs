//! The programs of every kernel give what the function gives.

use superstep_collection::{CASES, Size};

#[test]
fn programs_for_one_to_three_processors_give_the_same_bits() {
    for case in CASES {
        println!("{}, {}", case.kernel, case.size(Size::Tiny));
        case.trial(Size::Tiny).check(&[1, 2, 3]);
    }
}
