//! The simulator, beside the figures of an independent reference implementation.

use serde_json::Value;
use superstep_farm::{Chunk, Deal, Items, Key, Platform, Policy, Pulled, Technique, simulate};

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap().iter();
    list.map(|number| number.as_f64().unwrap()).collect()
}

fn chunks(value: &Value) -> Vec<Chunk> {
    let chunk = |chunk: &Value| {
        let chunk: Vec<usize> = serde_json::from_value(chunk.clone()).unwrap();
        Chunk {
            worker: chunk[0],
            items: chunk[1]..chunk[2],
        }
    };
    value.as_array().unwrap().iter().map(chunk).collect()
}

#[test]
fn makespans_messages_and_pulled_chunks_are_the_references() {
    let golden: Value = serde_json::from_str(include_str!("golden/simulation.json")).unwrap();
    let of = |name: &str| golden[name].as_f64().unwrap();
    let platform = Platform {
        workers: 3,
        speed: 1.0,
        worker_bandwidth: of("B_worker"),
        master_bandwidth: of("B_master"),
        setup: of("nLat"),
        latency: of("tLat"),
        overhead: of("cLat"),
        weights: Vec::new(),
    };
    let costs = numbers(&golden["cost"]);
    let items = Items::new(&costs).unwrap();
    let items = items.with_bytes(&numbers(&golden["bytes"])).unwrap();
    for case in golden["cases"].as_array().unwrap() {
        let name = &case["name"];
        let sent = chunks(&case["static"]);
        let first = sent.last().map_or(0, |chunk| chunk.items.end);
        // The policy deals what is not sent.
        let technique = match case["policy"].as_str() {
            Some("SS") => Some(Technique::SelfScheduling(1)),
            Some("FAC2") => Some(Technique::Factoring),
            Some("GSS") => Some(Technique::Guided),
            _ => None,
        };
        let pulled = match technique {
            None => Pulled::Bounds(Vec::new()),
            Some(technique) => {
                let rest = Items::new(&costs[first..]).unwrap();
                let policy = Policy::new(technique, Key::Cost);
                match policy.deal(&platform, &rest).unwrap().pulled {
                    Pulled::Bounds(bounds) => {
                        Pulled::Bounds(bounds.iter().map(|bound| first + bound).collect())
                    }
                    Pulled::Weighted(_) => unreachable!("all are equally fast"),
                }
            }
        };
        let deal = Deal {
            open: usize::try_from(case["m"].as_u64().unwrap()).unwrap(),
            prefetch: case["prefetch"].as_bool().unwrap(),
            sent,
            pulled,
        };
        let found = simulate(&platform, &items, &deal).unwrap();
        let wanted = case["T"].as_f64().unwrap();
        assert_eq!(
            found.chunks[deal.sent.len()..],
            chunks(&case["pulled_chunks[worker,lo,hi]"]),
            "{name}"
        );
        assert!(
            (found.makespan - wanted).abs() < 1e-9 * wanted,
            "{name}: {} is not {wanted}",
            found.makespan
        );
        assert_eq!(
            found.messages as u64,
            case["messages"].as_u64().unwrap(),
            "{name}"
        );
    }
}

#[test]
fn results_are_received_one_after_the_other() {
    let platform = Platform {
        workers: 2,
        speed: 1.0,
        worker_bandwidth: 10.0,
        master_bandwidth: 40.0,
        setup: 0.5,
        latency: 0.25,
        overhead: 0.0,
        weights: Vec::new(),
    };
    let items = Items::new(&[4.0, 4.0]).unwrap();
    let items = items.with_results(&[20.0, 30.0]).unwrap();
    let deal = Policy::new(Technique::Static, Key::Cost).with_open(2);
    let deal = deal.deal(&platform, &items).unwrap();
    let found = simulate(&platform, &items, &deal).unwrap();
    // Both are computed at 0.5 + 0.25 + 4 and arrive 0.25 later; then 0.5 + 20 / 10, 0.5 + 30 / 10.
    assert_eq!(found.finish, [4.75, 4.75]);
    assert!(
        (found.makespan - (5.0 + 2.5 + 3.5)).abs() < 1e-12,
        "{}",
        found.makespan
    );
}
