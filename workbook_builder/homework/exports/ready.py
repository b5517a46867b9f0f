"""What a manifest must have to be exported; a person may have edited it."""

from collections.abc import Iterator

from workbook_builder.errors import Fault, InputError
from workbook_builder.homework.manifest import Manifest, Variant
from workbook_builder.homework.steps import STEPS, right
from workbook_builder.readers.text import control_fault
from workbook_builder.suggest import did_you_mean
from workbook_builder.text import languages

_WHERE = "manifest"
_ANEW = "Restore the manifest from your copy, or make the assignment anew."


def ready(manifest: Manifest) -> Manifest:
    """The manifest itself; raises InputError with everything in it that cannot be exported."""
    if faults := [*_faults(manifest)]:
        raise InputError(faults)
    return manifest


def _faults(manifest: Manifest) -> Iterator[Fault]:
    if manifest.language not in languages():
        remedy = did_you_mean(manifest.language, languages())
        yield Fault(_WHERE, "there is no such language", remedy, column="language", value=manifest.language)
    if not manifest.variants:
        yield Fault(_WHERE, "there is no variant to export", "Make variants for at least one student.")
    if fault := control_fault(_WHERE, manifest.assignment, None, "assignment"):
        yield fault
    for track in dict.fromkeys(step.track for step in STEPS):
        asked = [step.name for step in STEPS if step.track == track and step.name in manifest.asked]
        if asked and not any(manifest.points.get(step, 0) for step in asked):
            problem = f"no step of the {track} exercise that is asked for has points"
            yield Fault(_WHERE, problem, "Give one of them points, or ask for none of them.", column="points")
    for variant in manifest.variants:
        yield from _variant_faults(manifest, variant)


def _variant_faults(manifest: Manifest, variant: Variant) -> Iterator[Fault]:
    if fault := control_fault(_WHERE, variant.code, None, "code"):
        yield fault
    for step, values in right(variant.task).items():
        if step in manifest.asked and len(found := variant.answers.get(step, ())) != len(values):
            problem = f"variant {variant.code} has {len(found)} answers to {step}, and its task asks for {len(values)}"
            yield Fault(_WHERE, problem, _ANEW, column=step)
