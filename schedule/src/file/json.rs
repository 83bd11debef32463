//! JSON form, and the serde form of [`Schedule`]: nested lists, read without building them.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor},
    ser::SerializeStruct,
};

use super::ScheduleParseError;
use crate::Schedule;

pub(super) fn encode(schedule: &Schedule) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(schedule)
        .expect("a schedule serialises: its keys are strings and memory does not fail");
    bytes.push(b'\n');
    bytes
}

/// Byte order mark of UTF-8, which may begin a file.
const MARK: &[u8] = b"\xef\xbb\xbf";

pub(super) fn decode(bytes: &[u8]) -> Result<Schedule, ScheduleParseError> {
    let text = bytes.strip_prefix(MARK).unwrap_or(bytes);
    serde_json::from_slice(text).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = error.to_string();
        let before = match error.line() {
            1 => bytes.len() - text.len(),
            _ => 0,
        };
        ScheduleParseError::Json {
            line: error.line(),
            column: before + error.column(),
            message: message.strip_suffix(&place).unwrap_or(&message).to_owned(),
        }
    })
}

impl Serialize for Schedule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let supersteps = (0..self.supersteps()).map(|at| self.superstep(at).collect());
        let supersteps: Vec<Vec<&[u32]>> = supersteps.collect();
        let mut fields = serializer.serialize_struct("Schedule", 2)?;
        fields.serialize_field("processors", &self.processors)?;
        fields.serialize_field("supersteps", &supersteps)?;
        fields.end()
    }
}

impl<'de> Deserialize<'de> for Schedule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Schedule", &["processors", "supersteps"], ScheduleVisitor)
    }
}

/// Lists as they are read, before it is known how many make a superstep.
#[derive(Default)]
struct Lists {
    offsets: Vec<u32>,
    tasks: Vec<u32>,
    /// Lists of each superstep: the first superstep's number, and the first superstep that has
    /// another.
    width: Option<usize>,
    odd: Option<(usize, usize)>,
}

struct ScheduleVisitor;

impl ScheduleVisitor {
    fn build<E: Error>(processors: u32, lists: Lists) -> Result<Schedule, E> {
        if !(1..=Schedule::MOST_PROCESSORS).contains(&processors) {
            return Err(E::custom(format_args!(
                "`processors` must be 1 to {}",
                Schedule::MOST_PROCESSORS
            )));
        }
        let wrong = match lists.width {
            Some(width) if width != processors as usize => Some((0, width)),
            _ => lists.odd,
        };
        if let Some((superstep, width)) = wrong {
            return Err(E::custom(format_args!(
                "superstep {superstep} has {width} lists, but there are {processors} processors"
            )));
        }
        let mut offsets = lists.offsets;
        offsets.insert(0, 0);
        Ok(Schedule {
            processors,
            offsets,
            tasks: lists.tasks,
        })
    }
}

impl<'de> Visitor<'de> for ScheduleVisitor {
    type Value = Schedule;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a schedule: an object with the keys `processors` and `supersteps`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Schedule, A::Error> {
        let (mut processors, mut lists) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "processors" if processors.is_none() => {
                    processors = Some(map.next_value_seed(Integer(PROCESSORS))?)
                }
                "supersteps" if lists.is_none() => lists = Some(map.next_value_seed(ListsSeed)?),
                "processors" => return Err(A::Error::duplicate_field("processors")),
                "supersteps" => return Err(A::Error::duplicate_field("supersteps")),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let processors = processors.ok_or_else(|| A::Error::missing_field("processors"))?;
        Self::build(
            processors,
            lists.ok_or_else(|| A::Error::missing_field("supersteps"))?,
        )
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Schedule, A::Error> {
        let processors = fields
            .next_element_seed(Integer(PROCESSORS))?
            .ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let lists = fields
            .next_element_seed(ListsSeed)?
            .ok_or_else(|| A::Error::invalid_length(1, &self))?;
        Self::build(processors, lists)
    }
}

/// Reader of the list of supersteps.
struct ListsSeed;

impl<'de> DeserializeSeed<'de> for ListsSeed {
    type Value = Lists;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Lists, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ListsSeed {
    type Value = Lists;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of supersteps")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Lists, A::Error> {
        let mut lists = Lists::default();
        let mut superstep = 0;
        while let Some(width) = seq.next_element_seed(SuperstepSeed(&mut lists))? {
            match lists.width {
                None => lists.width = Some(width),
                Some(first) if first != width && lists.odd.is_none() => {
                    lists.odd = Some((superstep, width))
                }
                _ => {}
            }
            superstep += 1;
        }
        Ok(lists)
    }
}

/// Reader of one superstep; its value is the number of lists.
struct SuperstepSeed<'a>(&'a mut Lists);

impl<'de> DeserializeSeed<'de> for SuperstepSeed<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for SuperstepSeed<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a superstep: one list of tasks per processor")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<usize, A::Error> {
        let mut width = 0;
        while seq.next_element_seed(TasksSeed(&mut *self.0))?.is_some() {
            width += 1;
        }
        Ok(width)
    }
}

/// Reader of the tasks of one (superstep, processor).
struct TasksSeed<'a>(&'a mut Lists);

impl<'de> DeserializeSeed<'de> for TasksSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for TasksSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of task ids")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(task) = seq.next_element_seed(Integer("a task"))? {
            self.0.tasks.push(task);
        }
        let end = u32::try_from(self.0.tasks.len())
            .map_err(|_| A::Error::custom("2^32 or more task instances"))?;
        self.0.offsets.push(end);
        Ok(())
    }
}

/// Reader of an integer of 32 bits; the text names the number.
struct Integer(&'static str);

const PROCESSORS: &str = "the number of processors";

impl<'de> DeserializeSeed<'de> for Integer {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u32, D::Error> {
        deserializer.deserialize_u32(self)
    }
}

impl Visitor<'_> for Integer {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, an integer from 0 to 2^32 - 1", self.0)
    }

    fn visit_u32<E: Error>(self, number: u32) -> Result<u32, E> {
        Ok(number)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
        u32::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<u32, E> {
        u32::try_from(number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    /// Refuses numbers of more than 64 bits, which come here, too.
    fn visit_f64<E: Error>(self, _: f64) -> Result<u32, E> {
        let number = Unexpected::Other("number of more than 64 bits or with a point");
        Err(E::invalid_value(number, &self))
    }
}
