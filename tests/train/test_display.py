"""What the bar of a training prints between its steps."""

from spidercap.train.display import training_bar

NOTE = ("the baseline explains little of the variance of the values; " * 3).strip()


def test_long_lines_stay_lines(capsys):
    scores = dict.fromkeys(("CIDEr", "Bleu_4", "METEOR", "ROUGE_L", "SPICE", "SPIDEr"), 0.25)
    with training_bar("pg", 0, 10) as bar:
        bar.validation(7, scores, best=True)
        bar.note(NOTE)
    told = [line.strip() for line in capsys.readouterr().err.splitlines()]
    assert f"step 7: {' '.join(f'{name} 0.2500' for name in scores)} (best so far)" in told
    assert NOTE in told
