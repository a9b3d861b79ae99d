//! The frame of a JPEG: how its components are divided into blocks. ITU-T T.81, B.2.2 and A.2.

/// The precision of a coefficient of which nothing has been read.
pub const NOTHING: u8 = u8::MAX;

/// What a frame says about its picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameSize {
    pub width: u32,
    pub height: u32,
    /// The values of a pixel: 1 is grey, 3 is colour, 4 is ink.
    pub components: usize,
}

#[derive(Debug)]
pub struct JpegFrame {
    pub is_progressive: bool,
    pub size: FrameSize,
    /// Groups of blocks in a row, and rows of groups.
    pub groups: (usize, usize),
    pub components: Vec<Component>,
}

#[derive(Debug)]
pub struct Component {
    pub id: u8,
    /// Blocks of a group, across and down.
    pub sampling: (usize, usize),
    /// Blocks across and down in a scan of this component alone.
    pub alone: (usize, usize),
    /// For each coefficient, how many of its lowest bits are not read yet.
    pub unread: [u8; 64],
    /// For each block of a progressive picture, a bit for each coefficient that is known not to be zero.
    pub nonzero: Vec<u64>,
}

impl JpegFrame {
    /// Reads the content of a frame (SOF0, SOF1, SOF2). None if it is malformed.
    pub fn read(segment: &[u8], is_progressive: bool) -> Option<JpegFrame> {
        let [8, height_high, height_low, width_high, width_low, count, components @ ..] = segment else { return None };
        let height = usize::from(u16::from_be_bytes([*height_high, *height_low]));
        let width = usize::from(u16::from_be_bytes([*width_high, *width_low]));
        let (components, rest) = components.as_chunks::<3>();
        let is_odd = width == 0 || height == 0 || !rest.is_empty() || components.len() != usize::from(*count);
        if is_odd || !(1..=4).contains(&components.len()) {
            return None;
        }
        let samplings: Vec<_> =
            components.iter().map(|one| (usize::from(one[1] >> 4), usize::from(one[1] & 15))).collect();
        if samplings.iter().any(|(across, down)| !(1..=4).contains(across) || !(1..=4).contains(down)) {
            return None;
        }
        let most = samplings.iter().fold((1, 1), |most, one| (most.0.max(one.0), most.1.max(one.1)));
        let groups = (width.div_ceil(8 * most.0), height.div_ceil(8 * most.1));
        let size = FrameSize {
            width: u32::try_from(width).ok()?,
            height: u32::try_from(height).ok()?,
            components: components.len(),
        };
        let components = components.iter().zip(samplings).map(|(component, sampling)| Component {
            id: component[0],
            sampling,
            alone: (
                (width * sampling.0).div_ceil(most.0).div_ceil(8),
                (height * sampling.1).div_ceil(most.1).div_ceil(8),
            ),
            unread: [NOTHING; 64],
            nonzero: Vec::new(),
        });
        Some(JpegFrame { is_progressive, size, groups, components: components.collect() })
    }
}
