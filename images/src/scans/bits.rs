//! The bits of a scan, and the Huffman codes in them. ITU-T T.81, annexes C and F.

/// The bits that are looked up at once. Most codes are not longer.
const LOOK_UP: u32 = 9;

/// A Huffman table.
#[derive(Debug)]
pub struct Huffman {
    /// For each value of the next bits, the length of the code at their beginning and its symbol. 0 is a longer code.
    short: Vec<(u8, u8)>,
    /// For each length, the first code that is longer, filled to 16 bits, and the distance of its codes to their symbols.
    long: [(u32, i32); 17],
    symbols: Vec<u8>,
}

impl Huffman {
    pub fn of(counts: &[u8; 16], symbols: &[u8]) -> Option<Huffman> {
        let mut table = Huffman { short: vec![(0, 0); 1 << LOOK_UP], long: [(0, 0); 17], symbols: symbols.to_vec() };
        let (mut code, mut at) = (0_u32, 0_usize);
        for (length, count) in (1_u8..).zip(counts) {
            let bits = u32::from(length);
            table.long[usize::from(length)].1 = i32::try_from(at).ok()? - i32::try_from(code).ok()?;
            for _ in 0..*count {
                if bits <= LOOK_UP {
                    let from = usize::try_from(code << (LOOK_UP - bits)).ok()?;
                    table.short.get_mut(from..from + (1 << (LOOK_UP - bits)))?.fill((length, *symbols.get(at)?));
                }
                (code, at) = (code + 1, at + 1);
            }
            if code > 1 << bits {
                return None;
            }
            table.long[usize::from(length)].0 = code << (16 - bits);
            code <<= 1;
        }
        Some(table)
    }
}

/// Bits of a scan, without the zeros that follow an FF.
pub struct Bits<'a> {
    data: &'a [u8],
    /// The first byte that is not held.
    at: usize,
    /// The next bits, the first of them highest.
    held: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    pub fn of(data: &'a [u8]) -> Bits<'a> {
        Bits { data, at: 0, held: 0, count: 0 }
    }

    fn fill(&mut self) {
        while self.count <= 56 {
            let byte = match self.data.get(self.at..) {
                Some([0xff, 0, ..]) => {
                    self.at += 1;
                    0xff
                }
                // A marker, or the end.
                Some([0xff, ..] | []) | None => return,
                Some([byte, ..]) => *byte,
            };
            self.at += 1;
            self.held |= u64::from(byte) << (56 - self.count);
            self.count += 8;
        }
    }

    /// Skips at most 64 bits. None if there are fewer.
    pub fn skip(&mut self, mut count: u32) -> Option<()> {
        while count > 0 {
            let step = count.min(32);
            self.take(step)?;
            count -= step;
        }
        Some(())
    }

    /// Takes at most 32 bits. None if there are fewer.
    pub fn take(&mut self, count: u32) -> Option<u32> {
        if self.count < count {
            self.fill();
        }
        self.count = self.count.checked_sub(count)?;
        // Two steps, because none and all of the bits are possible.
        let taken = u32::try_from(self.held >> 32).ok()?.checked_shr(32 - count).unwrap_or_default();
        self.held <<= count;
        Some(taken)
    }

    pub fn decode(&mut self, table: &Huffman) -> Option<u8> {
        if self.count < 16 {
            self.fill();
        }
        let next = u32::try_from(self.held >> 48).ok()?;
        let (length, symbol) = *table.short.get(usize::try_from(next >> (16 - LOOK_UP)).ok()?)?;
        if length > 0 {
            self.take(u32::from(length))?;
            return Some(symbol);
        }
        let length = (LOOK_UP + 1..=16).find(|length| next < table.long[*length as usize].0)?;
        let distance = table.long[length as usize].1;
        let symbol = i32::try_from(self.take(length)?).ok()? + distance;
        table.symbols.get(usize::try_from(symbol).ok()?).copied()
    }

    /// The place behind the byte of the last bit that was taken.
    pub fn end(&self) -> usize {
        (0..self.count / 8).fold(self.at, |at, _| match self.data[..at] {
            [.., 0xff, 0] => at - 2,
            _ => at - 1,
        })
    }

    /// Goes behind the next marker, which must be the restart of this number.
    pub fn restart(&mut self, number: u8) -> Option<()> {
        let mut at = self.end();
        loop {
            at += self.data.get(at..)?.iter().position(|byte| *byte == 0xff)?;
            match *self.data.get(at + 1)? {
                0 => at += 2,
                0xff => at += 1,
                marker if marker == 0xd0 + number => break,
                _ => return None,
            }
        }
        *self = Bits { data: self.data, at: at + 2, held: 0, count: 0 };
        Some(())
    }
}
