//! `#[derive(Reason)]`: the kind, code, data and waiting time of each error stand beside its message.

use heck::ToSnakeCase;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, Fields, Ident, LitStr, Result, Token, Variant, parenthesized,
    parse_macro_input,
};

/// Derives `crate::error::Reason` for an enum. Each variant has `#[reason(Kind)]`, the name of a `crate::error::Kind`. Behind it may
/// stand, separated by commas:
///
/// - `code = "…"`: the code, if it is not the name of the variant in snake case.
/// - `data(name, other = expression)`: the fields of the data.
/// - `retry_after = expression`: the seconds to wait as `u64`, or `never` if waiting does not help. Default: see `Reason`.
///
/// Expressions see the fields of the variant as references, by their names, those without names as `_0`, `_1` and so on.
/// `#[reason(Kind)]` on the enum is that of every variant without an own one.
#[proc_macro_derive(Reason, attributes(reason))]
pub fn derive_reason(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implement(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn implement(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(of_enum) = &input.data else {
        return Err(Error::new_spanned(input, "Reason is derived for enums"));
    };
    let default = Facts::of(&input.attrs)?;
    let (mut kinds, mut codes, mut data, mut waits) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for variant in &of_enum.variants {
        let Some(Facts { kind, code, data: entries, retry_after }) = Facts::of(&variant.attrs)?.or(default.clone())
        else {
            return Err(Error::new_spanned(variant, "#[reason(Kind)] is missing"));
        };
        let name = &variant.ident;
        let bound = bound(variant);
        let code = code.unwrap_or_else(|| name.to_string().to_snake_case());
        kinds.push(quote!(Self::#name { .. } => crate::error::Kind::#kind));
        codes.push(quote!(Self::#name { .. } => #code));
        if !entries.is_empty() {
            let entries = entries.iter().map(|Entry { key, value }| {
                let key = key.to_string();
                quote!(#key: #value)
            });
            data.push(quote!(#bound => Some(serde_json::json!({ #(#entries),* }))));
        }
        match retry_after {
            Some(RetryAfter::Never) => waits.push(quote!(Self::#name { .. } => None)),
            Some(RetryAfter::Seconds(seconds)) => waits.push(quote!(#bound => Some(#seconds))),
            None => {}
        }
    }
    let name = &input.ident;
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_variables, reason = "an expression need not use all fields")]
        impl crate::error::Reason for #name {
            fn kind(&self) -> crate::error::Kind {
                match self { #(#kinds,)* }
            }

            fn code(&self) -> &'static str {
                match self { #(#codes,)* }
            }

            fn data(&self) -> Option<serde_json::Value> {
                match self { #(#data,)* _ => None }
            }

            fn retry_after_seconds(&self) -> Option<u64> {
                match self { #(#waits,)* _ => crate::error::retry_after_seconds(self.kind()) }
            }
        }
    })
}

/// The pattern of a variant that binds all its fields.
fn bound(variant: &Variant) -> TokenStream {
    let name = &variant.ident;
    match &variant.fields {
        Fields::Named(fields) => {
            let names = fields.named.iter().map(|field| &field.ident);
            quote!(Self::#name { #(#names),* })
        }
        Fields::Unnamed(fields) => {
            let names = (0..fields.unnamed.len()).map(|place| format_ident!("_{place}"));
            quote!(Self::#name(#(#names),*))
        }
        Fields::Unit => quote!(Self::#name),
    }
}

/// The arguments of `#[reason(…)]`.
#[derive(Clone)]
struct Facts {
    kind: Ident,
    code: Option<String>,
    data: Vec<Entry>,
    retry_after: Option<RetryAfter>,
}

#[derive(Clone)]
struct Entry {
    key: Ident,
    value: Expr,
}

#[derive(Clone)]
enum RetryAfter {
    Never,
    Seconds(Box<Expr>),
}

impl Facts {
    fn of(attributes: &[Attribute]) -> Result<Option<Self>> {
        let attribute = attributes.iter().find(|attribute| attribute.path().is_ident("reason"));
        attribute.map(Attribute::parse_args).transpose()
    }
}

impl Parse for Facts {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut facts = Self { kind: input.parse()?, code: None, data: Vec::new(), retry_after: None };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            let key: Ident = input.parse()?;
            if key == "data" {
                let entries;
                parenthesized!(entries in input);
                facts.data = Punctuated::<Entry, Token![,]>::parse_terminated(&entries)?.into_iter().collect();
                continue;
            }
            input.parse::<Token![=]>()?;
            match key.to_string().as_str() {
                "code" => facts.code = Some(input.parse::<LitStr>()?.value()),
                "retry_after" => {
                    let seconds: Expr = input.parse()?;
                    facts.retry_after = Some(match &seconds {
                        Expr::Path(path) if path.path.is_ident("never") => RetryAfter::Never,
                        _ => RetryAfter::Seconds(Box::new(seconds)),
                    });
                }
                _ => return Err(Error::new_spanned(key, "expected `code`, `data` or `retry_after`")),
            }
        }
        Ok(facts)
    }
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key: Ident = input.parse()?;
        let value = match input.parse::<Option<Token![=]>>()? {
            Some(_) => input.parse()?,
            None => syn::parse_quote!(#key),
        };
        Ok(Self { key, value })
    }
}
