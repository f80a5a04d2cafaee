//! diagnose stub
/// a
pub fn mean_absolute_error(a:&[f64],b:&[f64])->f64{a.iter().zip(b).map(|(x,y)|(x-y).abs()).sum::<f64>()/a.len() as f64}
/// b
pub fn poisson_deviance(y:&[f64],m:&[f64])->f64{2.0*y.iter().zip(m).map(|(y,m)|{let t=if *y>0.0{y*(y/m).ln()}else{0.0};t-(y-m)}).sum::<f64>()/y.len() as f64}
