//! stub
use std::sync::Arc; use crate::channel::Varying; use crate::counts::Mask;
#[derive(Clone,Debug)] pub struct Released<M>{shape:Vec<usize>,values:Arc<Vec<i64>>,law:Varying<M>,mask:Mask}
impl<M> Released<M>{ pub fn shape(&self)->&[usize]{&self.shape} pub fn values(&self)->&[i64]{&self.values} pub fn shared_values(&self)->Arc<Vec<i64>>{self.values.clone()} pub fn law(&self)->&Varying<M>{&self.law} pub fn mask(&self)->&Mask{&self.mask} 
pub fn assert_mechanism(shape:Vec<usize>,values:Vec<i64>,law:Varying<M>)->Result<Self,ReleaseError>{Ok(Self{shape,values:Arc::new(values),law,mask:Mask::none()})}}
#[derive(Debug,thiserror::Error)] #[error("x")] pub struct ReleaseError;
pub struct Lplp; pub struct Sensitive;
