//! CPU time and memory of a process and of all that it started, as the kernel counts them.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};

/// The unit of CPU times in `/proc`, which is the same on every machine.
const TICK: Duration = Duration::from_millis(10);

/// The fields of `/proc/PID/stat` that are used here.
struct Stat {
    parent: u32,
    own: Duration,
    /// Of its children that have ended.
    ended: Duration,
}

impl Stat {
    fn read(process: &str) -> Result<Stat> {
        Stat::parse(&fs::read_to_string(format!("/proc/{process}/stat"))?)
    }

    fn parse(stat: &str) -> Result<Stat> {
        // The name, in brackets, may hold anything.
        let fields = stat.rsplit_once(')').map(|(_, fields)| fields).context("no CPU times")?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let ticks = |at: usize| -> Result<u32> { Ok(fields.get(at).context("no CPU times")?.parse()?) };
        Ok(Stat { parent: ticks(1)?, own: TICK * (ticks(11)? + ticks(12)?), ended: TICK * (ticks(13)? + ticks(14)?) })
    }
}

/// The CPU time that a process and all its descendants have spent, in their own code and in the kernel's.
///
/// # Errors
/// If the process has ended.
pub fn cpu(process: u32) -> Result<Duration> {
    let spent = |process: u32| -> Result<Duration> {
        let stat = Stat::read(&process.to_string())?;
        Ok(stat.own + stat.ended)
    };
    let first = spent(process)?;
    // A descendant may end meanwhile. Then its parent counts it.
    Ok(first + descendants(process)?.into_iter().filter_map(|process| spent(process).ok()).sum::<Duration>())
}

/// The CPU time of all children of this program that have ended.
///
/// # Errors
/// If the kernel does not say.
pub fn cpu_of_ended_children() -> Result<Duration> {
    Ok(Stat::read("self")?.ended)
}

/// Gives the calling thread little more than the processor time that no other thread wants. If the system has no `renice`, it keeps its
/// priority.
pub fn wait_for_others() {
    let thread = fs::read_link("/proc/thread-self").ok();
    if let Some(id) = thread.as_deref().and_then(Path::file_name) {
        let _ = Command::new("renice")
            .args(["-n", "19", "-p"])
            .arg(id)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }
}

/// Memory in bytes. Pages that processes share count for each of them.
#[derive(Clone, Copy, Default)]
pub struct Memory {
    /// The most that was resident at any time.
    pub peak: u64,
    /// What is resident now.
    pub resident: u64,
    /// The part of it that is not backed by a file, such as the database.
    pub private: u64,
}

/// The memory of a process and its descendants.
///
/// # Errors
/// If the process has ended.
pub fn memory(process: u32) -> Result<Memory> {
    let mut sum = Memory::default();
    for process in descendants(process)?.into_iter().chain([process]) {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let bytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
            line.trim_matches([':', '\t', ' ', 'k', 'B']).parse::<u64>().unwrap_or(0) * 1024
        };
        sum.peak += bytes("VmHWM");
        sum.resident += bytes("VmRSS");
        sum.private += bytes("RssAnon");
    }
    Ok(sum)
}

fn descendants(process: u32) -> Result<Vec<u32>> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in fs::read_dir("/proc")?.flatten() {
        let Ok(process) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        if let Ok(stat) = Stat::read(&process.to_string()) {
            children.entry(stat.parent).or_default().push(process);
        }
    }
    let (mut found, mut at) = (vec![process], 0);
    while let Some(parent) = found.get(at) {
        let next = children.remove(parent).unwrap_or_default();
        found.extend(next);
        at += 1;
    }
    Ok(found.split_off(1))
}

#[cfg(test)]
mod tests {
    use std::process::id;
    use std::thread;

    use super::*;

    #[test]
    fn a_process_may_have_any_name() -> Result<()> {
        let stat = Stat::parse("7 (a) b (c) S 3 7 7 0 -1 4194304 100 0 0 0 150 50 20 5 20 0 1 0")?;
        assert_eq!(stat.parent, 3);
        assert_eq!(stat.own, Duration::from_secs(2));
        assert_eq!(stat.ended, Duration::from_millis(250));
        Ok(())
    }

    #[test]
    fn a_thread_that_waits_for_others_has_the_lowest_priority() -> Result<()> {
        let niceness = || -> Result<String> {
            let stat = fs::read_to_string("/proc/thread-self/stat")?;
            Ok(stat
                .rsplit_once(')')
                .and_then(|(_, fields)| fields.split_whitespace().nth(16))
                .context("none")?
                .to_owned())
        };
        let before = niceness()?;
        let waits = thread::spawn(move || {
            wait_for_others();
            niceness()
        });
        assert_eq!(waits.join().expect("the thread ends")?, "19");
        assert_eq!(niceness()?, before, "the other threads keep theirs");
        Ok(())
    }

    #[test]
    fn a_child_is_a_descendant_and_takes_memory() -> Result<()> {
        let mut child = Command::new("sleep").arg("60").spawn()?;
        let found = descendants(id())?;
        child.kill()?;
        child.wait()?;
        assert!(found.contains(&child.id()));
        assert!(memory(id())?.peak > 0);
        assert!(cpu(id())? < Duration::from_secs(3_600));
        Ok(())
    }
}
