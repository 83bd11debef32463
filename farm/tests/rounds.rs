//! Rounds, beside the figures of an independent reference implementation.

use serde_json::Value;
use superstep_farm::{
    Algorithm, Clock, Groups, Platform, best_count, corrected, rounds, search, search_all_workers,
};

fn golden() -> Value {
    serde_json::from_str(include_str!("golden/rounds.json")).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn integer(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

#[track_caller]
fn close(found: f64, wanted: f64, of: &str) {
    let far = (found - wanted).abs() > 1e-9 * wanted.abs().max(1.0);
    assert!(!far, "{of}: {found} is not {wanted}");
}

/// Makes a platform of table 1 of the PTUMR paper.
fn table(workers: usize, master_bandwidth: f64, setup: f64) -> Platform {
    Platform {
        workers,
        speed: 1.0,
        worker_bandwidth: 120.0,
        master_bandwidth,
        setup,
        latency: 0.0,
        overhead: 0.5,
        weights: Vec::new(),
    }
}

#[test]
fn closed_forms_and_both_last_rounds_are_the_references() {
    for case in golden()["ptumr"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let of = |field: &str| number(&case["p"][field]);
        let (work, speed) = (of("W"), of("S"));
        let workers = integer(&case["N"]);
        let platform = Platform {
            workers,
            speed,
            worker_bandwidth: of("B_worker"),
            master_bandwidth: of("B_master"),
            setup: of("nLat"),
            latency: of("tLat"),
            overhead: of("cLat"),
            weights: Vec::new(),
        };
        let groups = Groups::new(&platform, workers, integer(&case["m"]));
        let count = integer(&case["M"]);
        let wanted = &case["coef"];
        close(groups.beta(), number(&wanted["beta"]), name);
        close(groups.increment() * speed, number(&wanted["inc"]), name);
        assert_eq!(groups.groups().len(), integer(&wanted["Q"]), "{name}");
        close(
            groups.objective(work, count as f64),
            number(&case["T_obj"]),
            name,
        );
        close(platform.limit(work), number(&case["T_limit"]), name);
        close(
            groups.most_rounds(work),
            number(&case["M_cap_no_idle"]),
            name,
        );
        close(groups.best_rounds(work), number(&case["M_real_star"]), name);
        let scan = best_count(&platform, work, workers, integer(&case["m"])).unwrap();
        close(scan.makespan, number(&case["scan_exact"][0]), name);
        assert_eq!(scan.count(), integer(&case["scan_exact"][1]), "{name}");

        let Some(chunks) = groups.chunks(work, count) else {
            assert_eq!(case["feasible"], false, "{name}");
            continue;
        };
        assert_eq!(case["feasible"], true, "{name}");
        assert_eq!(case["no_idle"], Groups::no_idle(&chunks), "{name}");
        for (chunk, wanted) in chunks.iter().zip(case["chunks"].as_array().unwrap()) {
            close(chunk * speed, number(wanted), name);
        }
        let found = rounds(&groups, 1, work, count).unwrap();
        close(found.makespan, number(&case["T_real_exact"]), name);
        let wanted = case["last_row_exact"].as_array().unwrap();
        assert_eq!(found.last.len(), wanted.len());
        for (chunk, wanted) in found.last.iter().zip(wanted) {
            close(chunk * speed, number(wanted), name);
        }
        let paper = corrected(&groups, &chunks);
        if let Some(wanted) = case["last_row_paper"].as_array() {
            let last = paper.unwrap();
            for (chunk, wanted) in last.iter().zip(wanted) {
                close(chunk * speed, number(wanted), name);
            }
            let mut clock = Clock::new(&groups);
            for &chunk in &chunks[..count - 1] {
                clock.send(&groups, |_| chunk);
            }
            clock.send(&groups, |at| last[at]);
            close(clock.makespan(), number(&case["T_real_paper"]), name);
        }
    }
}

#[test]
fn makespans_over_the_size_of_groups() {
    for (key, sizes) in golden()["fig6"].as_object().unwrap() {
        let (bandwidth, setup) = key.split_once(',').unwrap();
        let bandwidth = bandwidth.strip_prefix("Bm=").unwrap().parse().unwrap();
        let setup = setup.strip_prefix("nLat=").unwrap().parse().unwrap();
        let platform = table(100, bandwidth, setup);
        for (size, wanted) in sizes.as_object().unwrap() {
            let best = best_count(&platform, 1000.0, 100, size.parse().unwrap()).unwrap();
            close(best.makespan, number(&wanted[0]), key);
            assert_eq!(best.count(), integer(&wanted[1]), "{key} {size}");
        }
    }
}

#[test]
fn makespans_over_the_number_of_workers() {
    for (key, wanted) in golden()["fig7"].as_object().unwrap() {
        let parts: Vec<f64> = key.split('/').map(|part| part.parse().unwrap()).collect();
        let platform = table(parts[2] as usize, parts[0], parts[1]);
        let umr = search_all_workers(&platform, 1000.0, Algorithm::Umr).unwrap();
        close(umr.makespan, number(&wanted[0]), key);
        let ptumr = search_all_workers(&platform, 1000.0, Algorithm::Ptumr).unwrap();
        close(ptumr.makespan, number(&wanted[2]), key);
        assert_eq!(
            (umr.count(), ptumr.count()),
            (integer(&wanted[1]), integer(&wanted[4])),
            "{key}"
        );
        close(platform.limit(1000.0), number(&wanted[5]), key);
    }
}

#[test]
fn makespans_with_the_best_number_of_workers() {
    for (key, wanted) in golden()["fig8_fig9"].as_object().unwrap() {
        let parts: Vec<&str> = key.split('/').collect();
        let at = |part: usize| parts[part].parse::<f64>().unwrap();
        let (platform, work) = match parts[0] {
            "fig8" => (table(100, at(1), at(2)), 1000.0),
            _ => (table(100, 600.0, at(1)), at(2)),
        };
        for (algorithm, wanted) in [(Algorithm::Umr, &wanted[0]), (Algorithm::Ptumr, &wanted[1])] {
            let found = search(&platform, work, algorithm).unwrap();
            close(found.makespan, number(&wanted[0]), key);
        }
    }
}
