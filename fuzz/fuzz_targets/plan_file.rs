//! Decodes plan files, and what stands in them with a checksum that is right; proves what comes
//! out.
#![no_main]

use std::ops::Range;

use libfuzzer_sys::fuzz_target;
use superstep_planner::file::{Digest, Identity, decode, encode, read};
use superstep_planner::{Accesses, Fault, Track, prove};

/// `x[i] += x[i - 3]`.
struct Strides;

impl Track for Strides {
    fn iterations(&self) -> u32 {
        20
    }

    fn lengths(&self) -> &[usize] {
        &[20]
    }

    fn track(&self, iterations: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
        for i in iterations.start as usize..iterations.end as usize {
            x.begin();
            x.read(0, i.saturating_sub(3)..i);
            x.write(0, i..i + 1);
        }
        Ok(())
    }
}

fn hold(bytes: &[u8]) {
    let identity = Identity::new("strides", "");
    let _ = read(bytes);
    if let Ok((plan, report)) = decode(bytes, &identity) {
        let again = encode(&plan, &report, &identity);
        assert_eq!(decode(&again, &identity).map(|it| it.0), Ok(plan.clone()));
        let _ = prove(&Strides, plan);
    }
}

fuzz_target!(|bytes: &[u8]| {
    hold(bytes);
    let mut sealed = b"BSPGRAIN\x01\0\0\0".to_vec();
    sealed.extend((bytes.len() as u64 + 36).to_le_bytes());
    sealed.extend(bytes);
    sealed.extend(Digest::of(&sealed).to_le_bytes());
    hold(&sealed);
});
