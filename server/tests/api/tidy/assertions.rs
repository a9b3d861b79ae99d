//! A test that expects an error asserts which one: its code, its text, or the index that refused.

use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, ExprMethodCall, Macro, Pat, Stmt, Token};

use super::imports::is_test;
use super::{Source, assert_none, sources};

/// Finds the places that accept any error.
#[derive(Default)]
struct AnyError {
    lines: Vec<usize>,
    /// The number of assertions that were read.
    assertions: usize,
}

impl AnyError {
    fn of(source: &Source) -> Self {
        let parsed = syn::parse_file(&source.text).unwrap_or_else(|error| panic!("{}: {error}", source.path));
        let mut found = Self::default();
        if source.path.starts_with("server/tests/")
            || source.path.contains("/tests/")
            || source.path.ends_with("/tests.rs")
        {
            found.visit_file(&parsed);
        } else {
            found.visit_tests_in(&parsed.items);
        }
        found
    }

    /// Reads the test modules among `items`.
    fn visit_tests_in(&mut self, items: &[syn::Item]) {
        for item in items {
            if let syn::Item::Mod(module) = item {
                match &module.content {
                    _ if is_test(&module.attrs) => self.visit_item_mod(module),
                    Some((_, inner)) => self.visit_tests_in(inner),
                    None => {}
                }
            }
        }
    }

    fn record(&mut self, spanned: &impl Spanned) {
        self.lines.push(spanned.span().start().line);
    }

    /// A condition only decides how a test goes on: it may ask for any error.
    fn visit_condition(&mut self, condition: &Expr) {
        match condition {
            Expr::MethodCall(call) if call.method == "is_err" => self.visit_expr(&call.receiver),
            Expr::Unary(unary) => self.visit_condition(&unary.expr),
            Expr::Binary(binary) => {
                self.visit_condition(&binary.left);
                self.visit_condition(&binary.right);
            }
            other => self.visit_expr(other),
        }
    }

    fn visit_tokens(&mut self, tokens: proc_macro2::TokenStream) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Ident(name) if name == "is_err" => self.record(&name),
                proc_macro2::TokenTree::Group(group) => self.visit_tokens(group.stream()),
                _ => {}
            }
        }
    }
}

/// The method call under parentheses and `.await`, and its name.
fn method(expression: &Expr) -> Option<&ExprMethodCall> {
    match expression {
        Expr::MethodCall(call) => Some(call),
        Expr::Paren(inner) => method(&inner.expr),
        Expr::Await(inner) => method(&inner.base),
        _ => None,
    }
}

fn is_call_of(expression: &Expr, names: &[&str]) -> bool {
    method(expression).is_some_and(|call| names.iter().any(|name| call.method == name))
}

/// The arguments of `matches!`.
fn matched(input: ParseStream<'_>) -> syn::Result<(Expr, Pat, Option<Expr>)> {
    let value = input.parse()?;
    input.parse::<Token![,]>()?;
    let pattern = Pat::parse_multi_with_leading_vert(input)?;
    let guard = if input.peek(Token![if]) {
        input.parse::<Token![if]>()?;
        Some(input.parse()?)
    } else {
        None
    };
    input.parse::<Option<Token![,]>>()?;
    Ok((value, pattern, guard))
}

impl<'ast> Visit<'ast> for AnyError {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let ignores_it = |expression: &Expr| matches!(expression, Expr::Closure(closure) if matches!(closure.inputs.first(), Some(Pat::Wild(_))));
        let is_any = call.method == "is_err"
            || (call.method == "is_some" && is_call_of(&call.receiver, &["err"]))
            || (call.method == "is_none" && is_call_of(&call.receiver, &["ok"]))
            || (call.method == "is_err_and" && call.args.iter().any(ignores_it));
        if is_any {
            self.record(&call.method);
        }
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if path.path.segments.len() > 1 && path.path.segments.last().is_some_and(|last| last.ident == "is_err") {
            self.record(path);
        }
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if matches!(unary.op, syn::UnOp::Not(_)) && is_call_of(&unary.expr, &["is_ok"]) {
            self.record(unary);
        }
        syn::visit::visit_expr_unary(self, unary);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        let dropped = match statement {
            Stmt::Expr(expression, Some(_)) => Some(expression),
            Stmt::Local(local) if matches!(local.pat, Pat::Wild(_)) => local.init.as_ref().map(|init| &*init.expr),
            _ => None,
        };
        if dropped.is_some_and(|expression| is_call_of(expression, &["unwrap_err", "expect_err"])) {
            self.record(statement);
        }
        syn::visit::visit_stmt(self, statement);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        self.visit_condition(&branch.cond);
        self.visit_block(&branch.then_branch);
        if let Some((_, other)) = &branch.else_branch {
            self.visit_expr(other);
        }
    }

    fn visit_expr_while(&mut self, repeated: &'ast syn::ExprWhile) {
        self.visit_condition(&repeated.cond);
        self.visit_block(&repeated.body);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        self.assertions += usize::from(name.starts_with("assert"));
        if name == "matches"
            && let Ok((value, pattern, guard)) = matched.parse2(call.tokens.clone())
        {
            let mut errors = AnyErrorPattern(false);
            errors.visit_pat(&pattern);
            if errors.0 && guard.is_none() {
                self.record(call);
            }
            AnyError::visit_expr(self, &value);
        } else if let Ok(arguments) = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(call.tokens.clone()) {
            arguments.iter().for_each(|argument| AnyError::visit_expr(self, argument));
        } else {
            self.visit_tokens(call.tokens.clone());
        }
    }
}

/// True if a pattern accepts any error: `Err(_)`.
struct AnyErrorPattern(bool);

impl<'ast> Visit<'ast> for AnyErrorPattern {
    fn visit_pat_tuple_struct(&mut self, pattern: &'ast syn::PatTupleStruct) {
        let is_err = pattern.path.segments.last().is_some_and(|last| last.ident == "Err");
        self.0 |= is_err && pattern.elems.iter().all(|element| matches!(element, Pat::Wild(_) | Pat::Rest(_)));
        syn::visit::visit_pat_tuple_struct(self, pattern);
    }
}

#[test]
fn a_test_that_expects_an_error_asserts_which_one() {
    let (mut broken, mut assertions) = (Vec::new(), 0);
    for source in sources().iter().filter(|source| source.path.starts_with("server/") && source.has_ending(&["rs"])) {
        let found = AnyError::of(source);
        assertions += found.assertions;
        let lines: Vec<&str> = source.text.lines().collect();
        broken.extend(found.lines.iter().map(|line| format!("{}:{line}: {}", source.path, lines[line - 1].trim())));
    }
    assert!(assertions > 3_000, "only {assertions} assertions were found");
    assert_none(
        &broken,
        "Assert the code or the text of the error, or the index that refused, so that no other error passes:",
    );
}

#[test]
fn any_spelling_of_any_error_is_found_and_a_named_error_passes() {
    let lines_of = |body: &str| {
        let text = format!("async fn a_test() {{ {body} }}");
        AnyError::of(&Source { path: "server/tests/api/sample.rs".into(), text }).lines.len()
    };
    for weak in [
        "assert!(done.is_err());",
        "assert!(done.await.is_err(), \"{what}\");",
        "assert!(one.is_ok() && other.is_err());",
        "assert_eq!((done.is_err(), 1), (true, 1));",
        "let failed = done.is_err(); assert!(failed);",
        "let fails = |text: &str| read(text).is_ok_and(|new| new.check().is_err());",
        "assert!(all.iter().all(Result::is_err));",
        "assert!(!done.is_ok());",
        "assert!(done.err().is_some());",
        "assert!(done.ok().is_none());",
        "assert!(done.is_err_and(|_| true));",
        "assert!(matches!(done, Err(_)));",
        "assert!(matches!(done, Ok(1) | Err(..)));",
        "done.await.unwrap_err();",
        "let _ = done.expect_err(\"it fails\");",
        "assert_eq!(json!({ \"failed\": done.is_err() }), shown);",
        "if is_open { assert!(done.is_err()); }",
    ] {
        assert_eq!(lines_of(weak), 1, "{weak}");
    }
    for strong in [
        "assert_eq!(done.unwrap_err().code(), \"gone\");",
        "let refused = done.await.expect_err(\"it fails\"); assert!(refused.contains(\"gone\"));",
        "assert!(done.is_err_and(|text| text.contains(\"gone\")));",
        "assert!(matches!(done, Err(Error::Gone)));",
        "assert!(matches!(done, Err(error) if error.is_gone()));",
        "if write.await.is_err() { return; }",
        "while !is_over && next.is_err() {}",
        "assert!(done.is_ok(), \"{done:?}\");",
    ] {
        assert_eq!(lines_of(strong), 0, "{strong}");
    }
}
