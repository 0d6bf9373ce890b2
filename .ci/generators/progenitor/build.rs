//! Makes the client of the contract that CONTRACT names, in the file that CLIENT names.

use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=CONTRACT");
    println!("cargo::rerun-if-env-changed=CLIENT");
    let contract = env::var("CONTRACT").expect("CONTRACT names the contract");
    println!("cargo::rerun-if-changed={contract}");
    let contract = serde_yaml::from_reader(fs::File::open(contract).unwrap()).unwrap();
    let code = progenitor::Generator::default().generate_tokens(&contract).unwrap();
    let code = prettyplease::unparse(&syn::parse2(code).unwrap());
    fs::write(env::var("CLIENT").expect("CLIENT names the client"), code).unwrap();
}
