//! Draws of one factor, seen as components.

/// Draws of a factor of which one axis, or several, number the components: `theta[d, k]` along axis 1, `phi[k, v]` along axis
/// 0, the `pi[k, l]` of a block model along 0 and 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComponentDraws<'a> {
    /// `(chain, draw, ..shape)`, row-major.
    pub draws: &'a [f64],
    /// Sizes of the axes of one draw.
    pub shape: &'a [usize],
    /// The axes that number the components.
    pub axes: &'a [usize],
}

impl ComponentDraws<'_> {
    /// Numbers of one draw.
    pub(super) fn size(&self) -> usize {
        self.shape.iter().product()
    }

    /// Number of components.
    pub(super) fn num_components(&self) -> usize {
        self.shape[self.axes[0]]
    }

    /// Whether components can be compared by it: one axis, and more than one entry each. An array along two such axes changes its
    /// entries with the order that is to be found.
    pub(super) fn tells_apart(&self, num_components: usize) -> bool {
        self.axes.len() == 1 && self.size() > num_components
    }

    /// Products of the sizes before and after an axis.
    fn around(&self, axis: usize) -> (usize, usize) {
        let product = |sizes: &[usize]| sizes.iter().product();
        (product(&self.shape[..axis]), product(&self.shape[axis + 1..]))
    }

    /// The components of one draw, component x entry, each of length one (a zero component stays zero): scales that one
    /// factor gives to another have no part in the comparison.
    pub(super) fn directions(&self, draw: &[f64], num_components: usize) -> Vec<f64> {
        let (outer, inner) = self.around(self.axes[0]);
        let mut directions = Vec::with_capacity(draw.len());
        for k in 0..num_components {
            let start = directions.len();
            for o in 0..outer {
                directions.extend_from_slice(&draw[(o * num_components + k) * inner..][..inner]);
            }
            let component = &mut directions[start..];
            // By the largest entry first: squares of tiny draws underflow.
            scale(component, component.iter().fold(0.0, |most: f64, x| most.max(x.abs())));
            scale(component, component.iter().map(|x| x * x).sum::<f64>().sqrt());
        }
        directions
    }

    /// Writes a draw with its component `order[k]` in place k.
    pub(super) fn reorder(&self, draw: &mut [f64], order: &[usize]) {
        for &axis in self.axes {
            let (outer, inner) = self.around(axis);
            let before = draw.to_vec();
            for o in 0..outer {
                for (k, &from) in order.iter().enumerate() {
                    let at = |k: usize| (o * order.len() + k) * inner;
                    draw[at(k)..][..inner].copy_from_slice(&before[at(from)..][..inner]);
                }
            }
        }
    }
}

fn scale(component: &mut [f64], by: f64) {
    if by > 0.0 {
        component.iter_mut().for_each(|x| *x /= by);
    }
}
