//! Numbers as bytes: varints, and arrays as the differences of neighbours.

use superstep_order::take;

use super::DecodeError;

/// Bytes that are written.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    pub(crate) fn float(&mut self, float: f64) {
        self.bytes(&float.to_le_bytes());
    }

    pub(crate) fn number(&mut self, number: u64) {
        superstep_order::number(&mut self.0, number);
    }

    /// Writes the length of an array and the difference of each of its numbers from the one before.
    pub(crate) fn differences(&mut self, array: impl ExactSizeIterator<Item = u32>) {
        self.number(array.len() as u64);
        let mut before = 0;
        for number in array {
            let difference = number.wrapping_sub(before) as i32;
            let zigzag = (difference << 1) ^ (difference >> 31);
            self.number(u64::from(zigzag as u32));
            before = number;
        }
    }

    /// Writes the columns of a table, one array after the other.
    pub(crate) fn columns<const N: usize>(
        &mut self,
        rows: impl ExactSizeIterator<Item = [u32; N]> + Clone,
    ) {
        for column in 0..N {
            self.differences(rows.clone().map(|row| row[column]));
        }
    }
}

/// Bytes that are left to read.
pub(crate) struct Reader<'b>(pub(crate) &'b [u8]);

impl<'b> Reader<'b> {
    fn bytes(&mut self, count: usize, what: &'static str) -> Result<&'b [u8], DecodeError> {
        let damaged = DecodeError::Damaged { what };
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// Reads an array of bytes.
    pub(crate) fn array<const N: usize>(
        &mut self,
        what: &'static str,
    ) -> Result<[u8; N], DecodeError> {
        let (bytes, rest) = self
            .0
            .split_first_chunk()
            .ok_or(DecodeError::Damaged { what })?;
        self.0 = rest;
        Ok(*bytes)
    }

    pub(crate) fn text(&mut self, what: &'static str) -> Result<&'b str, DecodeError> {
        let length = self.count(1, what)?;
        let bytes = self.bytes(length, what)?;
        std::str::from_utf8(bytes).map_err(|_| DecodeError::Damaged { what })
    }

    pub(crate) fn float(&mut self, what: &'static str) -> Result<f64, DecodeError> {
        Ok(f64::from_le_bytes(self.array(what)?))
    }

    /// Reads a float that is a number.
    pub(crate) fn finite(&mut self, what: &'static str) -> Result<f64, DecodeError> {
        let damaged = DecodeError::Damaged { what };
        self.float(what).and_then(|float| match float.is_finite() {
            true => Ok(float),
            false => Err(damaged),
        })
    }

    #[inline]
    pub(crate) fn number(&mut self, what: &'static str) -> Result<u64, DecodeError> {
        take(&mut self.0).ok_or(DecodeError::Damaged { what })
    }

    /// Reads a number that fits a `u32`.
    #[inline]
    pub(crate) fn small(&mut self, what: &'static str) -> Result<u32, DecodeError> {
        u32::try_from(self.number(what)?).map_err(|_| DecodeError::Damaged { what })
    }

    /// Reads a number that fits a `usize`.
    pub(crate) fn size(&mut self, what: &'static str) -> Result<usize, DecodeError> {
        usize::try_from(self.number(what)?).map_err(|_| DecodeError::Damaged { what })
    }

    /// Reads how many items follow, each of so many bytes or more.
    pub(crate) fn count(&mut self, least: usize, what: &'static str) -> Result<usize, DecodeError> {
        let count = self.size(what)?;
        if count > self.0.len() / least {
            return Err(DecodeError::Damaged { what });
        }
        Ok(count)
    }

    /// Reads an array that [`Writer::differences`] wrote.
    pub(crate) fn differences(&mut self, what: &'static str) -> Result<Vec<u32>, DecodeError> {
        let count = self.count(1, what)?;
        let mut array = Vec::with_capacity(count);
        let mut before = 0u32;
        for _ in 0..count {
            let zigzag = self.small(what)?;
            let difference = (zigzag >> 1) ^ (zigzag & 1).wrapping_neg();
            before = before.wrapping_add(difference);
            array.push(before);
        }
        Ok(array)
    }

    /// Reads a table that [`Writer::columns`] wrote.
    pub(crate) fn columns<const N: usize>(
        &mut self,
        what: &'static str,
    ) -> Result<Vec<[u32; N]>, DecodeError> {
        let mut rows = Vec::new();
        for column in 0..N {
            let array = self.differences(what)?;
            if column == 0 {
                rows.resize(array.len(), [0; N]);
            } else if array.len() != rows.len() {
                return Err(DecodeError::Damaged { what });
            }
            for (row, number) in rows.iter_mut().zip(array) {
                row[column] = number;
            }
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_lead_back_to_any_array() {
        let arrays: [&[u32]; 4] = [
            &[],
            &[7],
            &[0, 1, 2, 3, 2, 1000, 999],
            &[u32::MAX, 0, u32::MAX, 1 << 31, 0, (1 << 31) - 1, u32::MAX],
        ];
        for array in arrays {
            let mut out = Writer::default();
            out.differences(array.iter().copied());
            let mut input = Reader(&out.0);
            assert_eq!(input.differences("it").as_deref(), Ok(array));
            assert!(input.0.is_empty());
        }
    }

    #[test]
    fn numbers_end_and_fit() {
        for number in [0, 1, 0x7f, 0x80, u64::from(u32::MAX), u64::MAX] {
            let mut out = Writer::default();
            out.number(number);
            assert_eq!(Reader(&out.0).number("it"), Ok(number));
            let cut = &out.0[..out.0.len() - 1];
            assert!(Reader(cut).number("it").is_err());
        }
        let error = DecodeError::Damaged { what: "it" };
        let wide = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02];
        assert_eq!(Reader(&wide).number("it"), Err(error.clone()));
        assert_eq!(Reader(&[0xff; 20]).number("it"), Err(error.clone()));
        let small = [0x80, 0x80, 0x80, 0x80, 0x10];
        assert_eq!(Reader(&small).number("it"), Ok(1 << 32));
        assert_eq!(Reader(&small).small("it"), Err(error.clone()));
        assert_eq!(Reader(&[3, 1, 1]).count(1, "it"), Err(error));
    }
}
