use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, mem};

/// What the harness gave on the command line, `--name=value`.
pub struct Arguments(HashMap<String, String>);

impl Arguments {
    pub fn given() -> Self {
        let named = env::args().skip(1).filter_map(|text| {
            let (name, value) = text.strip_prefix("--")?.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        });
        Self(named.collect())
    }

    pub fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    pub fn number(&self, name: &str) -> usize {
        self.text(name).parse().unwrap_or(0)
    }

    /// Has the stub send events to the watch that is open, or to the next one that opens.
    pub fn ask_for_stream(&self, events: usize) {
        let host = self.text("plain").trim_start_matches("http://");
        let target = format!(
            "/ctl/stream?resource={}&events={events}&rate={}&when=watched",
            self.text("resource"),
            self.number("per-second"),
        );
        let mut stream = TcpStream::connect(host).expect("the stub");
        write!(
            stream,
            "GET {target} HTTP/1.1\r\nHost: stub\r\nConnection: close\r\n\r\n"
        )
        .expect("the stub");
        stream.read_to_end(&mut Vec::new()).expect("an answer");
    }
}

/// Hands a figure to the harness.
pub fn figure(name: &str, value: f64) {
    println!("{{\"figure\":\"{name}\",\"value\":{value}}}");
}

pub fn cpu_seconds() -> f64 {
    // A struct of numbers, which the call fills.
    let usage = unsafe {
        let mut usage: libc::rusage = mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Microseconds since 1970.
pub fn now_us() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a time after 1970")
        .as_micros() as i64
}

/// What is in memory, after all that was freed is given back.
pub fn rss_bytes() -> f64 {
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0);
    }
    status("VmRSS:")
}

pub fn peak_rss_bytes() -> f64 {
    status("VmHWM:")
}

/// A line of `/proc/self/status`, which counts in KiB; 0 where there is none.
fn status(name: &str) -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok())
        .unwrap_or(0.0)
        * 1024.0
}
