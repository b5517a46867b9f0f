"""Random exercises for property tests."""

from hypothesis import strategies as st

from workbook_builder import EXPONENTIAL, LINEAR, Exercise, Gain
from workbook_builder.inputs import WORKED_EXAMPLE

TABLE = Gain("table", ((0.0, 0.0), (1.0, 0.01), (2.0, 0.1), (3.0, 1.0)))
grades = st.integers(0, 3).map(float)
negative_grades = st.integers(-2, 4).map(float)
names = st.text(st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc")), min_size=1, max_size=12)
ranks = st.one_of(st.none(), st.integers(1, 200))


@st.composite
def exercises(draw: st.DrawFn) -> Exercise:
    """Any exercise a reader may yield: short and long lists, k beyond them, negative grades, every gain."""
    gain = draw(st.sampled_from([LINEAR, EXPONENTIAL, TABLE]))
    of = grades if gain == TABLE else draw(st.sampled_from([grades, negative_grades]))
    returned = draw(st.lists(of, max_size=12))
    missed = draw(st.lists(of, min_size=0 if returned else 1, max_size=12))
    seen = [*returned, *missed]
    return Exercise(
        grades=tuple(returned),
        missed=tuple(missed),
        k=draw(st.integers(1, 30)),
        first_relevant=tuple(draw(st.lists(st.tuples(names, ranks), min_size=1, max_size=6))),
        gain=gain,
        lowest=min([0.0, *seen]),
        highest=max([3.0, *seen]),
    )


MANY = Exercise(
    grades=tuple(float(rank % 4) for rank in range(60)),
    missed=tuple(float(rank % 3) for rank in range(80)),
    k=100,
    first_relevant=tuple((f"query {number}", number % 40 + 1) for number in range(300)),
)
SHAPES = {
    "the worked example": WORKED_EXAMPLE,
    "one result": Exercise((1.0,), (), 1, (("only", 1),)),
    "nothing returned": Exercise((), (3.0, 1.0), 5, (("only", None),)),
    "more missed than returned": Exercise((2.0,), (3.0,) * 9, 5, (("a", 1), ("b", None))),
    "k beyond the list": Exercise((2.0, 0.0), (1.0,), 50, (("a", 1),)),
    "nothing relevant": Exercise((0.0, 0.0), (0.0,), 2, (("a", None),)),
    "a grade 0 that earns, and ranks without a result": Exercise(
        (1.0,), (3.0, 2.0, 0.0), 5, (("a", 1),), gain=Gain.parse("0=.5,1=1,2=2,3=3")
    ),
    "hundreds of queries": MANY,
}
"""Shapes a layout must grow to, by what is special about them."""
