//! Reads the blocks of a scan. ITU-T T.81, annexes F and G.

use std::ops::RangeInclusive;

use super::bits::{Bits, Huffman};
use super::frame::JpegFrame;

/// The coefficients of a scan, and the bits of them.
pub struct SpectralBand {
    pub coefficients: RangeInclusive<usize>,
    pub is_first: bool,
}

pub struct ScanReader<'a> {
    pub bits: Bits<'a>,
    pub tables: &'a [[Option<Huffman>; 4]; 2],
    pub band: &'a SpectralBand,
    /// Blocks whose coefficients end here (EOBRUN).
    pub skipped_blocks: u32,
}

impl ScanReader<'_> {
    /// Returns the length of the data. None if blocks are missing or damaged.
    pub fn read(
        &mut self,
        frame: &mut JpegFrame,
        coded: &[(usize, [usize; 2])],
        restart_interval: usize,
    ) -> Option<usize> {
        let groups_across = frame.groups.0;
        let (across, down) = match coded {
            [(at, _)] => frame.components.get(*at)?.alone,
            _ => frame.groups,
        };
        let mut restarts = 0_u8;
        for group in 0..across * down {
            if restart_interval > 0 && group > 0 && group % restart_interval == 0 {
                self.bits.restart(restarts)?;
                restarts = (restarts + 1) % 8;
                self.skipped_blocks = 0;
            }
            let (column, row) = (group % across, group / across);
            for (at, tables) in coded {
                let component = frame.components.get_mut(*at)?;
                let (wide, high) = component.sampling;
                let stride = groups_across * wide;
                if coded.len() == 1 {
                    self.block(component.nonzero.get_mut(row * stride + column), *tables)?;
                    continue;
                }
                for (down, across) in (0..high).flat_map(|down| (0..wide).map(move |across| (down, across))) {
                    let index = (row * high + down) * stride + column * wide + across;
                    self.block(component.nonzero.get_mut(index), *tables)?;
                }
            }
        }
        Some(self.bits.end())
    }

    /// Reads the part of a block that is in this scan.
    fn block(&mut self, nonzero: Option<&mut u64>, [first, others]: [usize; 2]) -> Option<()> {
        let begins = *self.band.coefficients.start() == 0;
        if begins && self.band.is_first {
            let bits = self.bits.decode(self.tables[0].get(first)?.as_ref()?)?;
            self.bits.skip(u32::from(bits))?;
        } else if begins {
            self.bits.skip(1)?;
        }
        let (start, end) = ((*self.band.coefficients.start()).max(1), *self.band.coefficients.end());
        if end == 0 {
            return Some(());
        }
        let table = self.tables[1].get(others)?.as_ref()?;
        match nonzero {
            None => self.coefficients(table),
            Some(nonzero) if self.band.is_first => self.first_bits(table, start..=end, nonzero),
            Some(nonzero) => self.further_bits(table, start..=end, nonzero),
        }
    }

    /// All coefficients but the first, of a picture that is not progressive.
    fn coefficients(&mut self, table: &Huffman) -> Option<()> {
        let mut at = 1;
        while at < 64 {
            let code = self.bits.decode(table)?;
            let (zeros, bits) = (usize::from(code >> 4), u32::from(code & 15));
            match (bits, zeros) {
                (0, 15) => at += 16,
                (0, _) => break,
                // A value behind the last place is a sign of damage. Zeros are not.
                _ if at + zeros > 63 => return None,
                _ => {
                    at += zeros + 1;
                    self.bits.skip(bits)?;
                }
            }
        }
        Some(())
    }

    fn first_bits(&mut self, table: &Huffman, band: RangeInclusive<usize>, nonzero: &mut u64) -> Option<()> {
        if self.skipped_blocks > 0 {
            self.skipped_blocks -= 1;
            return Some(());
        }
        let mut at = *band.start();
        while at <= *band.end() {
            let code = self.bits.decode(table)?;
            let (zeros, bits) = (u32::from(code >> 4), u32::from(code & 15));
            match (bits, zeros) {
                (0, 15) => at += 16,
                (0, _) => {
                    self.skipped_blocks = (1 << zeros) - 1 + self.bits.take(zeros)?;
                    break;
                }
                _ => {
                    at += usize::try_from(zeros).ok()?;
                    *nonzero |= 1_u64.checked_shl(u32::try_from(at).ok()?)?;
                    self.bits.skip(bits)?;
                    at += 1;
                }
            }
        }
        Some(())
    }

    fn further_bits(&mut self, table: &Huffman, band: RangeInclusive<usize>, nonzero: &mut u64) -> Option<()> {
        let mut at = *band.start();
        while self.skipped_blocks == 0 && at <= *band.end() {
            let code = self.bits.decode(table)?;
            let (mut zeros, bits) = (u32::from(code >> 4), u32::from(code & 15));
            match (bits, zeros) {
                (0, 15) => {}
                (0, _) => {
                    self.skipped_blocks = (1 << zeros) + self.bits.take(zeros)?;
                    break;
                }
                // The sign.
                _ => self.bits.skip(1)?,
            }
            while at <= *band.end() {
                if *nonzero >> at & 1 == 1 {
                    self.bits.skip(1)?;
                } else if zeros == 0 {
                    break;
                } else {
                    zeros -= 1;
                }
                at += 1;
            }
            if bits > 0 {
                *nonzero |= 1_u64.checked_shl(u32::try_from(at).ok()?).filter(|_| at <= *band.end())?;
            }
            at += 1;
        }
        if self.skipped_blocks > 0 {
            self.skipped_blocks -= 1;
            if at <= *band.end() {
                // The bits of the coefficients from here to the end of the band.
                let behind = (*nonzero >> at) & (u64::MAX >> (63 - (*band.end() - at)));
                self.bits.skip(behind.count_ones())?;
            }
        }
        Some(())
    }
}
