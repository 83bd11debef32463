//! The quotient graph of a schedule: its blocks, and who waits for whom.

use std::fmt::Write;

use superstep_plan::synchronisation::Synchronisation;

use crate::Details;

/// Nodes of a graph, at most: no picture of more can be read.
const MOST_NODES: usize = 4000;

/// Writes the blocks of a program as a graph in the DOT language. It has a node for each processor
/// and superstep that has tasks, and an edge for each wait. Of long programs neighbouring
/// supersteps are joined until there are at most 4,000 nodes.
pub fn dot(details: &Details) -> String {
    dot_within(details, MOST_NODES)
}

fn dot_within(details: &Details, most: usize) -> String {
    let processors = details.plan.processors as usize;
    let supersteps = details.plan.supersteps as usize;
    let joined = (processors * supersteps).div_ceil(most.max(1)).max(1);
    let groups = supersteps.div_ceil(joined);
    let mut text = String::from("digraph schedule {\n  rankdir = LR;\n  node [shape = box];\n");
    let mut count = vec![0; groups * processors];
    for (at, tasks) in details.tasks().into_iter().enumerate() {
        count[at / processors / joined * processors + at % processors] += tasks;
    }
    for (at, tasks) in count.iter().enumerate().filter(|(_, tasks)| **tasks > 0) {
        let (group, processor) = (at / processors, at % processors);
        let first = group * joined;
        let last = (first + joined).min(supersteps) - 1;
        let steps = if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        };
        let _ = writeln!(
            text,
            "  \"{group}.{processor}\" [label = \"superstep {steps}\\nprocessor {processor}\\n{tasks} tasks\"];"
        );
    }
    let Ok(table) = Synchronisation::new(&details.plan) else {
        return text + "}\n";
    };
    let mut edges = Vec::new();
    for superstep in 0..supersteps {
        for processor in 0..processors {
            let to = (superstep / joined, processor);
            for wait in table.waits(superstep, processor) {
                if let Some(ended) = wait.steps.checked_sub(1) {
                    edges.push(((ended as usize / joined, wait.processor as usize), to));
                }
            }
            if superstep > 0 && superstep % joined == 0 {
                edges.push(((superstep / joined - 1, processor), to));
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let is_there = |&(group, processor): &(usize, usize)| count[group * processors + processor] > 0;
    for (from, to) in edges
        .iter()
        .filter(|(from, to)| from != to && is_there(from) && is_there(to))
    {
        let _ = writeln!(
            text,
            "  \"{}.{}\" -> \"{}.{}\";",
            from.0, from.1, to.0, to.1
        );
    }
    text + "}\n"
}

#[cfg(test)]
mod tests {
    use superstep_plan::{Body, Code, Plan, Precedence, Term};

    use super::*;

    /// Makes so many supersteps of two processors; the second waits for the first before each.
    fn details(supersteps: u32) -> Details {
        let code = |_| Code {
            terms: vec![Term::Run { body: 0 }],
            values: vec![3, 0, 1],
            ..Code::default()
        };
        let wait = |superstep| Precedence {
            superstep,
            processor: 1,
            peer: 0,
            ended: superstep - 1,
        };
        let plan = Plan {
            processors: 2,
            supersteps,
            precedences: (1..supersteps).map(wait).collect(),
            bodies: vec![Body::own(vec![0], 1)],
            code: (0..2 * supersteps).map(code).collect(),
            ..Plan::default()
        };
        Details {
            plan,
            ..Details::default()
        }
    }

    #[test]
    fn blocks_are_nodes_and_waits_are_edges() {
        let text = dot(&details(2));
        assert_eq!(text.matches("label").count(), 4);
        assert!(text.contains("\"0.0\" -> \"1.1\";") && text.contains("\"0.1\" -> \"1.1\";"));
        assert!(!text.contains("\"0.1\" -> \"1.0\";"));
    }

    #[test]
    fn supersteps_are_joined_where_there_are_many() {
        let text = dot_within(&details(100), 50);
        assert_eq!(text.matches("label").count(), 50);
        assert!(text.contains("superstep 0-3\\nprocessor 0\\n12 tasks"));
    }
}
