//! The modules of the server use each other in one direction, along `ORDER`, without cycles. Only the owner of a table
//! names it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use syn::visit::Visit;

use super::{assert_none, root};

/// The modules from the bottom up. Each may use those before it. The rooms lie between `http` and `access`.
const ORDER: [&str; 53] = [
    "error",
    "timestamp",
    "clock",
    "characters",
    "text",
    "email",
    "money",
    "calendar",
    "ids",
    "networks",
    "process",
    "secret",
    "jwt",
    "tls",
    "config",
    "db",
    "files",
    "child",
    "pdf",
    "csv",
    "devices",
    "places",
    "http",
    "audit",
    "staff",
    "visas",
    "gateways",
    "orders",
    "lifecycle",
    "remarks",
    "documents",
    "paper_requests",
    "papers",
    "mail",
    "tracking",
    "corrections",
    "refunds",
    "duplicates",
    "deliveries",
    "filing",
    "chargebacks",
    "undo",
    "home",
    "lists",
    "live",
    "details",
    "casework",
    "intake",
    "reports",
    "public",
    "backup",
    "access",
    "app",
];

/// The rooms, each named after one noun of the product.
pub fn rooms() -> &'static [&'static str] {
    let position = |name: &str| ORDER.iter().position(|module| *module == name).expect("a module of ORDER");
    &ORDER[position("http") + 1..position("access")]
}

/// The top modules: they may use all rooms, and no room may use them.
const TOP: [&str; 3] = ["demo", "commands", "main"];

/// The owner of each table.
const OWNERS: [(&str, &[&str]); 15] = [
    ("audit", &["audit", "audit_chain", "access_log", "access_log_retention", "row_counters"]),
    ("backup", &["backups", "rehearsals"]),
    ("chargebacks", &["chargebacks", "defence_packs"]),
    ("deliveries", &["deliveries", "held_visas", "visa_readings", "waiting_visas"]),
    ("documents", &["documents"]),
    ("filing", &["filing_claims", "filings"]),
    ("gateways", &["payment_gateways", "active_gateway"]),
    ("http", &["failed_attempts", "idempotency"]),
    ("intake", &["api_keys", "sources"]),
    ("mail", &["mails", "mail_texts", "mail_attempts", "mail_secrets"]),
    (
        "orders",
        &[
            "orders",
            "search_texts",
            "search_progress",
            "applications",
            "checkouts",
            "payments",
            "transactions",
            "order_sources",
            "remarks",
            "refunds",
            "refund_approvals",
            "refund_approval_orders",
            "order_originals",
            "kept_values",
            "undo_records",
            "new_orders",
            "folder_counters",
            "folder_counter_deltas",
            "order_trigrams",
            "order_grams",
        ],
    ),
    ("paper_requests", &["paper_states", "paper_reasons", "paper_requests", "paper_request_items", "unasked_papers"]),
    ("papers", &["paper_checks", "paper_looks"]),
    (
        "staff",
        &[
            "staff",
            "sessions",
            "authenticators",
            "recovery_codes",
            "challenges",
            "passkeys",
            "passkey_ceremonies",
            "known_devices",
            "list_settings",
            "inbox",
            "staff_mails",
        ],
    ),
    ("tracking", &["visitor_grants", "tracking_codes", "downloads", "failed_tracks"]),
];

/// A file of the server, by the path of its module: `orders::store` is `["orders", "store"]`.
struct Module {
    file: String,
    path: Vec<String>,
    /// The paths that its code names, from the root of the crate, each with its line.
    named: Vec<(usize, Vec<String>)>,
    /// The tables that it names, each with its line.
    tables: Vec<(usize, String)>,
}

impl Module {
    fn read(source: &Path, file: &Path) -> Self {
        let text = std::fs::read_to_string(file).expect("a module");
        let mut path: Vec<String> = file
            .strip_prefix(source)
            .expect("a path within the source folder")
            .with_extension("")
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect();
        if path.last().is_some_and(|name| name == "mod" || name == "lib") {
            path.pop();
        }
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut names = Names { own: path.clone(), named: Vec::new(), tables: Vec::new() };
        names.visit_file(&parsed);
        let file = file.strip_prefix(source).expect("a path within the source folder").display().to_string();
        Self { file, path, named: names.named, tables: names.tables }
    }

    fn room(&self) -> &str {
        self.path.first().map_or("lib", String::as_str)
    }
}

/// Collects the paths and tables that a module names.
struct Names {
    own: Vec<String>,
    named: Vec<(usize, Vec<String>)>,
    tables: Vec<(usize, String)>,
}

impl Names {
    /// Records a path as written. A path without `crate`, `super` or `self` may start with a child module.
    fn record(&mut self, line: usize, written: &[String]) {
        let full = match written.first().map(String::as_str) {
            Some("crate" | "visadesk") => written[1..].to_vec(),
            Some("self") => [&self.own[..], &written[1..]].concat(),
            Some("super") => {
                let ups = written.iter().take_while(|part| *part == "super").count();
                let remaining = self.own.len().saturating_sub(ups);
                [&self.own[..remaining], &written[ups..]].concat()
            }
            Some(_) => [&self.own[..], written].concat(),
            None => return,
        };
        if let [db, schema, table, ..] = &full[..]
            && (db.as_str(), schema.as_str()) == ("db", "schema")
        {
            self.tables.push((line, table.clone()));
        }
        self.named.push((line, full));
    }

    fn record_tree(&mut self, before: &[String], tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(path) => {
                self.record_tree(&[before, &[path.ident.to_string()]].concat(), &path.tree);
            }
            syn::UseTree::Name(name) => self.record_leaf(before, &name.ident),
            syn::UseTree::Rename(name) => self.record_leaf(before, &name.ident),
            syn::UseTree::Glob(glob) => self.record(glob.star_token.spans[0].start().line, before),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.record_tree(before, tree)),
        }
    }

    fn record_leaf(&mut self, before: &[String], name: &syn::Ident) {
        let leaf = if name == "self" { before.to_vec() } else { [before, &[name.to_string()]].concat() };
        self.record(name.span().start().line, &leaf);
    }

    /// Records the paths in the tokens of a macro and the tables in its SQL.
    fn record_tokens(&mut self, tokens: proc_macro2::TokenStream) {
        use proc_macro2::TokenTree;
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) if path.is_empty() || colons == 2 => {
                    path.push(name.to_string());
                    colons = 0;
                    if path.len() > 1 {
                        self.record(name.span().start().line, &path);
                    }
                    continue;
                }
                TokenTree::Ident(name) => path = vec![name.to_string()],
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => {
                    colons += 1;
                    continue;
                }
                TokenTree::Group(group) => {
                    path.clear();
                    self.record_tokens(group.stream());
                }
                TokenTree::Literal(literal) => self.record_sql(literal.span().start().line, &literal.to_string()),
                TokenTree::Punct(_) => path.clear(),
            }
            colons = 0;
        }
    }

    fn record_sql(&mut self, line: usize, text: &str) {
        const BEFORE_A_TABLE: [&str; 6] = ["FROM", "INTO", "UPDATE", "JOIN", "TABLE", "ON"];
        let words: Vec<&str> =
            text.split(|one: char| !(one.is_alphanumeric() || one == '_')).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            if BEFORE_A_TABLE.contains(&pair[0]) && OWNERS.iter().any(|(_, tables)| tables.contains(&pair[1])) {
                self.tables.push((line, pair[1].to_owned()));
            }
        }
    }
}

/// Returns true for `#[cfg(test)]`.
pub fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|one| one.path().is_ident("cfg") && tokens_of(one).contains("test"))
}

fn tokens_of(attribute: &syn::Attribute) -> String {
    attribute.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default()
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.record_tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let written: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let Some(first) = path.segments.first().filter(|_| written.len() > 1) {
            self.record(first.ident.span().start().line, &written);
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.record_tokens(call.tokens.clone());
        syn::visit::visit_macro(self, call);
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.record_sql(text.span().start().line, &text.value());
    }
}

fn modules() -> &'static [Module] {
    static MODULES: LazyLock<Vec<Module>> = LazyLock::new(read_modules);
    &MODULES
}

fn read_modules() -> Vec<Module> {
    fn walk(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a source folder").map(|entry| entry.expect("an entry").path()) {
            match entry.is_dir() {
                true => walk(&entry, into),
                false if entry.extension().is_some_and(|ending| ending == "rs") => into.push(entry),
                false => {}
            }
        }
    }
    let source = root().join("server/src");
    let mut files = Vec::new();
    walk(&source, &mut files);
    files.sort();
    let is_test = |file: &Path| file.file_stem().is_some_and(|name| name == "tests");
    let modules: Vec<Module> =
        files.iter().filter(|file| !is_test(file)).map(|file| Module::read(&source, file)).collect();
    assert!(modules.len() > 100, "too few modules were found");
    modules
}

/// The dependencies: pairs of indexes in `modules`, each with the first line that causes it.
fn dependencies(modules: &[Module]) -> BTreeMap<(usize, usize), usize> {
    let indexes: BTreeMap<&[String], usize> =
        modules.iter().enumerate().map(|(index, module)| (&module.path[..], index)).collect();
    let mut dependencies = BTreeMap::new();
    for (from, module) in modules.iter().enumerate() {
        for (line, named) in &module.named {
            // The longest prefix of the path that is a module. The rest are names within it.
            let to = (1..=named.len()).rev().find_map(|length| indexes.get(&named[..length]));
            if let Some(to) = to.filter(|to| **to != from) {
                dependencies.entry((from, *to)).or_insert(*line);
            }
        }
    }
    dependencies
}

fn position_of(room: &str) -> Option<usize> {
    ORDER.iter().chain(&TOP).position(|name| *name == room)
}

#[test]
fn every_room_has_a_place_in_the_order() {
    let rooms: BTreeSet<String> = modules().iter().map(|module| module.room().to_owned()).collect();
    let is_missing = |room: &String| room != "lib" && position_of(room).is_none();
    let missing: Vec<String> = rooms.into_iter().filter(is_missing).collect();
    assert_none(&missing, "Add the room to ORDER, after the rooms that it uses and before the rooms that use it:");
}

#[test]
fn rooms_use_only_earlier_rooms() {
    let modules = modules();
    let mut broken = Vec::new();
    for ((from, to), line) in dependencies(modules) {
        let (from, to) = (&modules[from], &modules[to]);
        let (Some(user), Some(used)) = (position_of(from.room()), position_of(to.room())) else { continue };
        if used > user {
            broken.push(format!("{}:{line} uses {}", from.file, to.file));
        }
    }
    assert_none(
        &broken,
        "A room may use only the rooms before it in ORDER. Move shared code down, or code that combines rooms up:",
    );
}

#[test]
fn no_files_have_circular_imports() {
    let modules = modules();
    let dependencies: BTreeSet<(usize, usize)> = dependencies(modules).into_keys().collect();
    let reaches_itself = |start: &usize| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![*start]);
        while let Some(index) = next.pop() {
            let used = dependencies.range((index, 0)..(index + 1, 0)).map(|(_, used)| *used);
            next.extend(used.filter(|used| seen.insert(*used)));
        }
        seen.contains(start)
    };
    let in_cycles = (0..modules.len()).filter(reaches_itself).map(|index| modules[index].file.clone());
    let in_cycles: Vec<String> = in_cycles.collect();
    assert_none(&in_cycles, "Break the import cycle between these files:");
}

#[test]
fn only_the_owner_of_a_table_names_it() {
    let mut broken = Vec::new();
    for module in modules().iter().filter(|module| !module.file.starts_with("db/schema")) {
        for (line, table) in &module.tables {
            let owner = OWNERS.iter().find(|(_, tables)| tables.contains(&&**table)).map(|(room, _)| *room);
            let owner = owner.unwrap_or_else(|| panic!("give the table {table} its owner in OWNERS"));
            if module.room() != owner {
                broken.push(format!("{}:{line}: {table} belongs to {owner}", module.file));
            }
        }
    }
    assert_none(&broken, "Use the store of the room that owns the table:");
}
