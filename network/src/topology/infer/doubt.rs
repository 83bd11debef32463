//! Doubt: noise in which no link can be told, and hosts whose measurements contradict those of all
//! others.

use std::collections::BTreeSet;

use superstep_timing::median;

use super::{
    Contradiction, InferError, Measurement, Misfit,
    refine::{self, Judge},
    tolerance::{Pool, QUANTUM},
};
use crate::topology::{RoundTrip, Tree, growing::Growing};

/// Number of pairs that are named when noise is too large.
const NAMED: usize = 5;

/// Part of the round trip above which a spread, or what the tree is off by, is a warning. Network
/// cards that gather interrupts had 600 % in the thesis's section 4.1, and quiet ones a few.
const WIDE: f64 = 0.2;

/// Measurements whose spread is a large part of the round trip, the largest part first.
pub(super) fn wide(measurements: &[Measurement]) -> Vec<Measurement> {
    let part =
        |one: &Measurement| one.round_trip.spread as f64 / one.round_trip.minimum.max(1) as f64;
    let mut wide: Vec<Measurement> = measurements.to_vec();
    wide.retain(|one| part(one) > WIDE);
    wide.sort_by(|x, y| part(y).total_cmp(&part(x)).then(x.pair.cmp(&y.pair)));
    wide
}

/// Returns measurements from which a tree is far, those by the largest factor first. The hosts that
/// were `left_out`, in ascending order, are not in the tree.
pub(super) fn misfits(
    tree: &Tree,
    left_out: &[usize],
    measured: impl IntoIterator<Item = Measurement>,
) -> Vec<Misfit> {
    let distances = tree.distances();
    // The tree numbers the hosts that it has.
    let number = |host: u32| {
        let before = left_out.binary_search(&(host as usize)).err()?;
        Some(host as usize - before)
    };
    let misfit = |measurement: Measurement| {
        let (a, b) = (number(measurement.pair.0)?, number(measurement.pair.1)?);
        let expected = 2.0 * distances[a * tree.hosts() + b];
        let RoundTrip { minimum, spread } = measurement.round_trip;
        let [time, spread] = [minimum, spread].map(|nanoseconds| nanoseconds as f64 / 1000.0);
        let most = (WIDE * time.min(expected)).max(spread).max(2.0 * QUANTUM);
        let misfit = Misfit {
            measurement,
            expected,
        };
        ((time - expected).abs() > most).then_some(misfit)
    };
    let factor = |misfit: &Misfit| {
        let time = misfit.measurement.round_trip.minimum as f64 / 1000.0;
        let [time, expected] = [time, misfit.expected].map(|time| time.max(QUANTUM));
        (time / expected).max(expected / time)
    };
    let mut misfits: Vec<Misfit> = measured.into_iter().filter_map(misfit).collect();
    misfits.sort_by(|x, y| factor(y).total_cmp(&factor(x)));
    misfits
}

/// Returns the error of noise if spreads are of the order of the links: then the links that were
/// found are made of it.
pub(super) fn noise<E>(
    tree: &Growing,
    measurements: &[Measurement],
    names: &[String],
) -> Option<InferError<E>> {
    let mut links = tree.all_links().map(|(_, _, latency)| latency).peekable();
    if measurements.is_empty() || links.peek().is_none() {
        return None;
    }
    let spreads = measurements.iter();
    let spread = median(spreads.map(|one| one.round_trip.spread as f64 / 1000.0));
    let link = median(links);
    if spread == 0.0 || spread < link {
        return None;
    }
    let mut worst = measurements.to_vec();
    worst.sort_by(|x, y| {
        let (x_spread, y_spread) = (x.round_trip.spread, y.round_trip.spread);
        y_spread.cmp(&x_spread).then(x.pair.cmp(&y.pair))
    });
    let name = |one: &Measurement| {
        let [a, b] = [one.pair.0, one.pair.1].map(|host| &names[host as usize]);
        let spread = one.round_trip.spread as f64 / 1000.0;
        format!("{a}-{b} ({spread:.1} us)")
    };
    Some(InferError::Noise {
        spread,
        link,
        worst: worst.iter().take(NAMED).map(name).collect(),
    })
}

/// Standard errors from which on a measurement is wrong.
const WRONG: f64 = 5.0;

/// Number of measurements of a host that must be wrong before it is doubted: fewer are bad luck.
const LEAST: usize = 3;

/// Number of measurements that show whether a host of which one is wrong is wrong itself.
const ENOUGH: usize = 10;

/// Pairs to measure where a measurement contradicts the tree and its host has too few others to
/// tell whose fault it is. They are of the host and the nearest ones with which it was not
/// measured.
pub(super) fn unsure(tree: &Growing, measurements: &[Measurement], pool: &Pool) -> Vec<(u32, u32)> {
    let observed = refine::observe(tree, measurements, pool);
    let off = Judge::new(tree, &observed).residuals(tree);
    let mut pairs = BTreeSet::new();
    for host in tree.present() {
        let own: Vec<_> = observed
            .iter()
            .zip(&off)
            .filter(|(one, _)| one.is_of(host))
            .collect();
        if own.len() < ENOUGH && own.iter().any(|(_, off)| off.abs() > WRONG) {
            let seen = tree.rooted(host);
            let mut others: Vec<u32> = tree.present().filter(|&other| other != host).collect();
            others.retain(|&other| !own.iter().any(|(one, _)| one.is_of(other)));
            let distance = |host: &u32| seen.distances[*host as usize];
            others.sort_by(|x, y| distance(x).total_cmp(&distance(y)));
            let nearest = others.iter().take(ENOUGH - own.len());
            pairs.extend(nearest.map(|&other| (host.min(other), host.max(other))));
        }
    }
    pairs.into_iter().collect()
}

/// Takes out a host with wrong measurements, fits the tree of the others, and puts the host where
/// it fits best then. For its sake others may have been pulled to where they do not belong. Returns
/// whether the tree has become better.
pub(super) fn reinsert(tree: &mut Growing, measurements: &[Measurement], pool: &Pool) -> bool {
    let observed = refine::observe(tree, measurements, pool);
    let judge = Judge::new(tree, &observed);
    let now = judge.cost(tree);
    for (_, _, host) in suspects(tree, &judge).into_iter().take(NAMED) {
        let mut trial = tree.clone();
        trial.remove(host);
        refine::refine(&mut trial, measurements, pool);
        refine::insert(&mut trial, host, &observed, judge.scale);
        refine::refine(&mut trial, measurements, pool);
        if judge.cost(&trial) + 1.0 < now {
            *tree = trial;
            return true;
        }
    }
    false
}

/// Hosts with wrong measurements, those with most first: how many are wrong, of how many.
fn suspects(tree: &Growing, judge: &Judge<'_>) -> Vec<(usize, usize, u32)> {
    let off = judge.residuals(tree);
    let mut suspects: Vec<(usize, usize, u32)> = tree
        .present()
        .map(|host| {
            let own = judge.observed.iter().zip(&off);
            let own = own.filter(|(one, _)| one.is_of(host));
            own.fold((0, 0, host), |(wrong, all, host), (_, off)| {
                (wrong + usize::from(off.abs() > WRONG), all + 1, host)
            })
        })
        .filter(|&(wrong, ..)| wrong > 0)
        .collect();
    suspects.sort_unstable_by(|x, y| y.0.cmp(&x.0).then(x.2.cmp(&y.2)));
    suspects
}

/// Returns the host without which the others agree best, and how it contradicts them. It does so if
/// its measurements do not fit any tree of theirs.
///
/// A host is suspected if more than a quarter of its measurements are off by more than 5 standard
/// errors. A wrong measurement of another host's is one of many.
pub(super) fn liar(
    tree: &Growing,
    measurements: &[Measurement],
    pool: &Pool,
    names: &[String],
) -> Option<(u32, Contradiction)> {
    let observed = refine::observe(tree, measurements, pool);
    let judge = Judge::new(tree, &observed);
    let off = judge.residuals(tree);
    let mut suspects = suspects(tree, &judge);
    suspects.retain(|&(wrong, all, _)| wrong >= LEAST && 4 * wrong > all);
    let without = |host: u32| {
        let mut rest = tree.clone();
        rest.remove(host);
        let of_rest: Vec<Measurement> = measurements
            .iter()
            .filter(|one| one.pair.0 != host && one.pair.1 != host)
            .copied()
            .collect();
        refine::refine(&mut rest, &of_rest, pool);
        let observed = refine::observe(&rest, &of_rest, pool);
        // Noise as it was before: the one who leaves takes it along, or not.
        let judge = Judge {
            observed: &observed,
            scale: judge.scale,
        };
        judge.cost(&rest)
    };
    let (_, host) = suspects
        .iter()
        .take(NAMED)
        .map(|&(_, _, host)| (without(host), host))
        .min_by(|x, y| x.0.total_cmp(&y.0))?;
    let own = observed.iter().zip(&off);
    let own = own.filter(|(one, _)| one.is_of(host));
    let (worst, _) = own.max_by(|x, y| x.1.abs().total_cmp(&y.1.abs()))?;
    let pair = (worst.a, worst.b);
    let measured = measurements.iter().find(|one| one.pair == pair)?;
    let [name, a, b] = [host, worst.a, worst.b].map(|host| names[host as usize].clone());
    let contradiction = Contradiction {
        host: name,
        a,
        b,
        measured: measured.round_trip.minimum as f64 / 1000.0,
        expected: tree.rooted(worst.a).distances[worst.b as usize] * 2.0,
    };
    Some((host, contradiction))
}
