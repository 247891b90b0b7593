//! One change of some tokens, anywhere.

use std::str::FromStr;

use fastrand::Rng;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::keys::tables;
use crate::tests::source::Source;

/// What is put in.
pub(super) struct Stock(Vec<TokenStream>);

const DELIMITERS: [Delimiter; 4] = [
    Delimiter::Parenthesis,
    Delimiter::Bracket,
    Delimiter::Brace,
    Delimiter::None,
];

const ODD: &str = r##"
    #[stream] #[stream()] #[stream(name="x")] #[on_record(Orders)] #[on_record] #[on_batch(Orders,)] #[on_start] #[on_ready(x)]
    #[on_shutdown] #[configure] #[aws] #[observe] #[leases] #[kinesis_app::on_record(self::Orders)] #[cfg(x)] #[cfg] #[cfg()]
    #[cfg_attr(x,on_record(Orders))] #[cfg_attr] #[doc="a|b"] #[doc=include_str!("a")] #[doc(hidden)] #[kinesis_app(name="x")]
    = == => -> , ; : :: < > << >> & && ' 'a '_ ! ? # | .. ... @ $ ~ - + * / ^ % () [] {} (()) [[]] {{}} (,) (;) (=) (..)
    r#type r#match r#async r#fn type match async fn mod use impl trait struct enum union const static unsafe extern crate self
    Self super pub where dyn mut ref move for as in let if loop while return box macro auto default safe raw try yield gen await
    _ ünïcode 名前 r#ünïcode App Orders __cx __arg0 __Wiring __Handler0 __rt Result Ok
    0 1 -1 007 0x_ffff 1_000 500ms 1.5 1e400 99999999999999999999999999999999999999999 340282366920938463463374607431768211456
    1u8 1usize 1f32 true "" "\0" "ünïcode" "a\nb" "|" "arn:aws:kinesis::" "1970-01-01T00:00:00Z" "10000000000000000000000s"
    b"x" c"x" 'c' b'c' r#"raw"# br"x" (latest) (env="A",default="B") (=) mod{} fn(){} struct;
"##;

impl Stock {
    /// Words of every table, odd tokens, and all groups of the sources.
    pub(super) fn new(sources: &[Source]) -> Self {
        let mut stock: Vec<_> = sources
            .iter()
            .flat_map(|source| [source.args.clone(), source.item.clone()])
            .flat_map(groups)
            .collect();
        let keys = tables().flat_map(|table| table.keys);
        let words = keys.flat_map(|key| [key.name, key.form]);
        let words = words.chain(ODD.split_whitespace());
        // Half a delimiter is no token: not even an editor gives it to a macro.
        stock.extend(words.filter_map(|word| TokenStream::from_str(word).ok()));
        Self(stock)
    }

    pub(super) fn mutate(&self, source: &mut Source, rng: &mut Rng) {
        let part = if rng.u8(..3) == 0 {
            &mut source.args
        } else {
            &mut source.item
        };
        *part = self.changed(part.clone(), rng);
    }

    fn changed(&self, tokens: TokenStream, rng: &mut Rng) -> TokenStream {
        let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
        if tokens.is_empty() {
            return self.piece(rng);
        }
        let groups = (0..tokens.len()).filter(|at| matches!(tokens[*at], TokenTree::Group(_)));
        let groups: Vec<usize> = groups.collect();
        let inside = rng.choice(groups).filter(|_| rng.u8(..5) != 0);
        if let Some(at) = inside
            && let TokenTree::Group(group) = &tokens[at]
        {
            let inner = self.changed(group.stream(), rng);
            tokens[at] = grouped(group.delimiter(), inner);
            return tokens.into_iter().collect();
        }
        let (at, other) = (rng.usize(..tokens.len()), rng.usize(..tokens.len()));
        match rng.u8(..9) {
            0 => {
                tokens.remove(at);
            }
            1 => tokens.insert(at, tokens[other].clone()),
            2 => tokens.swap(at, other),
            3 => {
                tokens.splice(at..=at, self.piece(rng));
            }
            4 => {
                tokens.splice(at..at, self.piece(rng));
            }
            5 => {
                let end = rng.usize(at..tokens.len());
                let inner = tokens.drain(at..=end).collect();
                tokens.insert(at, grouped(delimiter(rng), inner));
            }
            6 => {
                tokens.drain(at.min(other)..=at.max(other));
            }
            _ => tokens[at] = disguised(&tokens[at], rng),
        }
        tokens.into_iter().collect()
    }

    fn piece(&self, rng: &mut Rng) -> TokenStream {
        self.0[rng.usize(..self.0.len())].clone()
    }
}

/// The same token in another form.
fn disguised(token: &TokenTree, rng: &mut Rng) -> TokenTree {
    match token {
        TokenTree::Group(group) => match rng.u8(..3) {
            0 => grouped(group.delimiter(), TokenStream::new()),
            _ => grouped(delimiter(rng), group.stream()),
        },
        TokenTree::Ident(word) => {
            let plain = word.to_string();
            let special = ["_", "self", "Self", "super", "crate"];
            if plain.starts_with("r#") || special.contains(&&*plain) {
                return grouped(Delimiter::None, token.clone().into());
            }
            TokenTree::Ident(Ident::new_raw(&plain, Span::call_site()))
        }
        // As an argument of `macro_rules!` comes.
        TokenTree::Punct(_) | TokenTree::Literal(_) => {
            grouped(Delimiter::None, token.clone().into())
        }
    }
}

fn delimiter(rng: &mut Rng) -> Delimiter {
    DELIMITERS[rng.usize(..DELIMITERS.len())]
}

fn grouped(delimiter: Delimiter, inner: TokenStream) -> TokenTree {
    TokenTree::Group(Group::new(delimiter, inner))
}

/// What stands in the groups of a stream, at any depth.
fn groups(tokens: TokenStream) -> Vec<TokenStream> {
    let mut found = Vec::new();
    for token in tokens {
        if let TokenTree::Group(group) = token {
            found.push(group.stream());
            found.extend(groups(group.stream()));
        }
    }
    found
}
