//! `contract/reference.html`: the HTTP contract as a page for people, without scripts.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use minijinja::{Environment, context};
use serde_json::{Value, json};

const TEMPLATE: &str = include_str!("reference/page.html");
const STYLE: &str = include_str!("reference/style.css");

/// Types that every response repeats: the envelope is explained once, at the top.
const ENVELOPE: &str = "Found_";

/// The page of a contract.
///
/// # Errors
/// If the template is broken.
pub fn page(contract: &Value) -> Result<String> {
    let mut environment = Environment::new();
    // The engine's own escaping also writes each slash as a number, which makes the source unreadable.
    environment.set_formatter(|out, _, value| {
        let text = value.to_string();
        Ok(out.write_str(&if value.is_safe() { text } else { escape(&text) })?)
    });
    environment.add_filter("rich", rich);
    environment.add_template("page.html", TEMPLATE)?;
    let view = context! {
        style => STYLE,
        info => shown(&contract["info"]),
        schemes => shown(&json!(schemes(contract))),
        groups => shown(&json!(groups(contract))),
        types => shown(&json!(types(contract))),
    };
    let page = environment.get_template("page.html")?.render(view).context("the reference cannot be rendered")?;
    // The tags of the template leave empty lines behind.
    Ok(page.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect())
}

/// JSON as the template engine takes it.
fn shown(value: &Value) -> minijinja::Value {
    match value {
        Value::Null => minijinja::Value::from(()),
        Value::Bool(flag) => minijinja::Value::from(*flag),
        Value::Number(number) => number.as_i64().map_or_else(|| number.to_string().into(), minijinja::Value::from),
        Value::String(text) => minijinja::Value::from(text.as_str()),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().into(),
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), shown(field))).collect::<BTreeMap<_, _>>().into()
        }
    }
}

/// A text with its `code` marked, as HTML.
fn rich(text: &str) -> minijinja::Value {
    let mut html = String::new();
    for (place, part) in text.split('`').enumerate() {
        let part = escape(part);
        html.push_str(&if place % 2 == 1 { format!("<code>{part}</code>") } else { part });
    }
    minijinja::Value::from_safe_string(html)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn schemes(contract: &Value) -> Vec<Value> {
    let schemes = object(&contract["components"]["securitySchemes"]);
    schemes
        .map(|(name, scheme)| json!({ "name": name, "header": scheme["name"], "description": scheme["description"] }))
        .collect()
}

/// The operations under their tags, in the order of the tags.
fn groups(contract: &Value) -> Vec<Value> {
    let mut by_tag: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (path, methods) in object(&contract["paths"]) {
        for (method, one) in object(methods) {
            let tag = one["tags"][0].as_str().unwrap_or_default();
            by_tag.entry(tag).or_default().push(operation(contract, path, method, one));
        }
    }
    let tags = list(&contract["tags"]);
    tags.map(|tag| {
        let operations = by_tag.remove(tag["name"].as_str().unwrap_or_default()).unwrap_or_default();
        json!({ "name": tag["name"], "description": tag["description"], "operations": operations })
    })
    .collect()
}

fn operation(contract: &Value, path: &str, method: &str, operation: &Value) -> Value {
    let parameters = list(&operation["parameters"]).map(|parameter| {
        json!({
            "name": parameter["name"],
            "place": parameter["in"],
            "required": parameter["required"],
            "type": type_of(&parameter["schema"]),
            "description": parameter["description"],
            "example": parameter["schema"]["examples"][0],
        })
    });
    let summary = operation["summary"].as_str().unwrap_or_default();
    let (title, more) = summary.split_once(". ").unwrap_or((summary.trim_end_matches('.'), ""));
    let description = format!("{more} {}", operation["description"].as_str().unwrap_or_default());
    let bodies = object(&operation["requestBody"]["content"]);
    let request = bodies.map(|(media_type, content)| body(contract, media_type, content)).next();
    let (successes, errors): (Vec<_>, Vec<_>) =
        object(&operation["responses"]).partition(|(status, _)| status.starts_with('2'));
    let success = successes.first().map(|(status, response)| {
        let content = object(&response["content"]).next();
        json!({
            "status": status,
            "body": content.map(|(media_type, content)| body(contract, media_type, content)),
        })
    });
    let errors = errors.into_iter().map(|(status, response)| {
        let content = &response["content"]["application/json"];
        json!({
            "status": status,
            "text": response["description"],
            "codes": content["schema"]["allOf"][1]["properties"]["code"]["enum"],
            "example": content["example"],
            "headers": object(&response["headers"]).map(|(name, _)| name).collect::<Vec<_>>(),
        })
    });
    json!({
        "id": operation["operationId"],
        "method": method.to_uppercase(),
        "path": path,
        "summary": title,
        "description": description.trim(),
        "callers": operation["x-callers"],
        "parameters": parameters.collect::<Vec<_>>(),
        "request": request,
        "success": success,
        "errors": errors.collect::<Vec<_>>(),
    })
}

/// A request or a response: its type, its properties and its example.
fn body(contract: &Value, media_type: &str, content: &Value) -> Value {
    let schema = &content["schema"];
    let named = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    let resolved = named.map_or(schema, |name| &contract["components"]["schemas"][name]);
    let example = match &content["example"] {
        Value::Null => Value::Null,
        Value::String(text) => json!(text),
        example => json!(serde_json::to_string_pretty(example).unwrap_or_default()),
    };
    json!({
        "media_type": media_type,
        "type": type_of(schema),
        "description": resolved["description"],
        "properties": properties(resolved),
        "example": example,
    })
}

/// Every named type but the envelopes of responses.
fn types(contract: &Value) -> Vec<Value> {
    let schemas = object(&contract["components"]["schemas"]);
    let shown = schemas.filter(|(name, _)| !name.starts_with(ENVELOPE)).map(|(name, schema)| {
        let parents = list(&schema["allOf"]).filter(|part| part["$ref"].is_string()).map(type_of);
        let own = list(&schema["allOf"]).find(|part| part["properties"].is_object()).unwrap_or(schema);
        let choices: Vec<String> = list(&schema["oneOf"]).map(type_of).collect();
        json!({
            "name": name,
            "description": schema["description"],
            "values": schema["enum"],
            "parents": parents.collect::<Vec<_>>(),
            "type": if choices.is_empty() { type_of(schema) } else { choices.join(" or ") },
            "properties": properties(own),
        })
    });
    shown.collect()
}

fn properties(schema: &Value) -> Vec<Value> {
    let required: Vec<&str> = list(&schema["required"]).filter_map(Value::as_str).collect();
    let rows = object(&schema["properties"]).map(|(name, property)| {
        let choices = list(&property["oneOf"]);
        let described = choices.filter_map(|one| one.get("description")).next();
        json!({
            "name": name,
            "required": required.contains(&name.as_str()),
            "type": type_of(property),
            "description": property.get("description").or(described),
        })
    });
    rows.collect()
}

/// The type in words, as HTML with links to named types.
fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return match name.strip_prefix(ENVELOPE) {
            Some(_) => "object".to_owned(),
            None => format!("<a href=\"#type-{name}\">{name}</a>"),
        };
    }
    let choices: Vec<String> = list(&schema["oneOf"]).map(type_of).collect();
    if !choices.is_empty() {
        return choices.join(" or ");
    }
    let named = |name: &str| match name {
        "array" => format!("list of {}", type_of(&schema["items"])),
        "object" if schema["additionalProperties"].is_object() && schema["properties"].is_null() => {
            format!("object of {}", type_of(&schema["additionalProperties"]))
        }
        "string" if schema["contentSchema"].is_object() => format!("{} as a string", type_of(&schema["contentSchema"])),
        name => name.to_owned(),
    };
    let names: Vec<String> = match &schema["type"] {
        Value::String(name) => vec![named(name)],
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(named).collect(),
        _ if schema["allOf"].is_array() => vec!["object".to_owned()],
        _ => vec!["any JSON".to_owned()],
    };
    let format = schema["format"].as_str().filter(|format| !format.starts_with("int"));
    let names = names.join(" or ");
    format.map_or(names.clone(), |format| format!("{names} ({})", escape(format)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_told_in_words_with_links() {
        for (schema, expected) in [
            (json!({ "type": ["string", "null"], "format": "date" }), "string or null (date)"),
            (json!({ "type": "integer", "format": "int64" }), "integer"),
            (
                json!({ "type": "array", "items": { "$ref": "#/components/schemas/Order" } }),
                "list of <a href=\"#type-Order\">Order</a>",
            ),
            (
                json!({ "oneOf": [{ "$ref": "#/x/Order" }, { "type": "null" }] }),
                "<a href=\"#type-Order\">Order</a> or null",
            ),
            (
                json!({ "type": "string", "contentSchema": { "$ref": "#/x/Order" } }),
                "<a href=\"#type-Order\">Order</a> as a string",
            ),
            (json!({}), "any JSON"),
        ] {
            assert_eq!(type_of(&schema), expected);
        }
    }

    #[test]
    fn a_text_is_escaped_and_its_code_is_marked() {
        assert_eq!(rich("a < `b & c`.").to_string(), "a &lt; <code>b &amp; c</code>.");
    }

    #[test]
    fn the_page_names_each_operation_and_has_no_script() -> Result<()> {
        let operation = json!({ "operationId": "ping", "summary": "Ping", "tags": ["Health"], "responses": {} });
        let contract = json!({
            "info": { "title": "T", "description": "D" }, "tags": [{ "name": "Health", "description": "" }],
            "paths": { "/api/ping": { "get": operation } },
        });
        let page = page(&contract)?;
        assert!(page.contains("id=\"ping\"") && page.contains("/api/ping"), "{page}");
        assert!(!page.contains("<script"), "{page}");
        Ok(())
    }
}
