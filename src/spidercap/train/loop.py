"""The training loop: batch → loss → gradient → step, with validation, checkpoints and exact resume.

Everything random is a function of (seed, step, example), so the state of a run is its weights, its optimiser and a
handful of counters: a run that was killed and goes on gives the numbers of one that was not.
"""

import signal
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from torch import nn

from spidercap.config import Config
from spidercap.errors import DataError, SpidercapError
from spidercap.learn.algorithm import Algorithm, Batch, Setup, Step
from spidercap.learn.diagnostics import readable, warmup_note
from spidercap.metrics.scores import Scores
from spidercap.model.captioner import Captioner
from spidercap.model.folder import save_model
from spidercap.train.automatic_settings import notes, order_of, own_steps
from spidercap.train.batches import CaptionBatches, ImageBatches, Order, prefetched
from spidercap.train.data import TrainingData
from spidercap.train.display import Display, Silent, training_bar
from spidercap.train.run_folder import RunFolder, RunLog
from spidercap.train.schedules import learning_rate_share
from spidercap.train.validation import Validation
from spidercap.train.world import World
from spidercap.vision.tuned import save_tuned


class InterruptedRunError(SpidercapError):
    """The run was asked to stop, and its state is saved."""

    exit_code = 130


@dataclass
class Counters:
    """What a checkpoint holds besides weights and optimiser."""

    step: int = 0
    best: float = -1.0
    best_step: int = 0
    stale: int = 0
    seconds: float = 0.0
    log_length: int = 0
    sums: dict[str, float] = field(default_factory=dict)


@dataclass
class Clock:
    """How fast the steps since the last line of the log were; validation does not count."""

    begin: float = field(default_factory=perf_counter)
    waited: float = 0.0
    words: int = 0

    def waiting(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """The batches; the time until each is there is time lost to reading."""
        while True:
            begin = perf_counter()
            batch = next(batches, None)
            self.waited += perf_counter() - begin
            if batch is None:
                return
            yield batch

    @property
    def words_a_second(self) -> float:
        """Symbols learnt from in a second."""
        return self.words / (perf_counter() - self.begin)

    def numbers(self) -> dict[str, float]:
        """Speed and share of the time that steps waited for their batch; then the clock starts anew."""
        numbers = {"words_per_second": self.words_a_second, "input_wait": self.waited / (perf_counter() - self.begin)}
        self.pause()
        return numbers

    def pause(self) -> None:
        """Start anew."""
        self.begin, self.waited, self.words = perf_counter(), 0.0, 0


class Trainer:
    """One run, from its first step or from its checkpoint to its end."""

    def __init__(
        self,
        config: Config,
        data: TrainingData,
        captioner: Captioner,
        folder: RunFolder,
        world: World,
        init: Path | None,
    ) -> None:
        self.config, self.data, self.folder, self.world, self.init = config, data, folder, world, init
        self.captioner = captioner.to(world.device)
        self.validation = make_validation(config, data)
        self.order = order_of(config, data)
        self.steps = config.learn.warmup + own_steps(config, self.order)
        self.algorithm = self._algorithm()
        self.batches = _batches(config, data, self.captioner, self.order, world)
        self.validate_every = config.train.validate_every or self.order.steps_an_epoch
        self.module = nn.ModuleDict({"algorithm": self.algorithm.module})
        if data.source.encoder is not None:
            self.module["encoder"] = data.source.encoder.train().to(world.device)
        self.optimizer = self._optimizer()
        self.counters = Counters()
        self.clock = Clock()
        self.asked_to_stop = self.stopping = False

    def _algorithm(self) -> Algorithm:
        config, references = self.config, {image.id: image.captions for image in self.data.train}
        seed, limit, dropout = config.train.seed, config.decode.limit, config.model.dropout
        return config.learn.make(Setup(self.captioner, references, seed, limit, self.steps, dropout))

    def _optimizer(self) -> torch.optim.Optimizer:
        """The captioner and the encoder have learning rates of their own; those of other parts are constant."""
        config, own = self.config, self.algorithm.own_rates
        rates = {"algorithm": config.learning_rate, "encoder": config.encoder.learning_rate, **own}
        groups = []
        for name, parameters in _parts(self.module, own).items():
            groups.append({"params": parameters, "lr": rates[name], "highest": rates[name], "part": name})
        if config.train.optimizer == "sgd":
            return torch.optim.SGD(groups, weight_decay=config.train.weight_decay)
        return torch.optim.AdamW(groups, weight_decay=config.train.weight_decay, fused=True)

    def run(self) -> Counters:
        """Train to the end; the counters as they are then."""
        if self.world.main:
            self.folder.open(self.config, self.init)
        self.world.wait()
        with self.folder.held() if self.world.main else nullcontext():
            return self._train()

    def _train(self) -> Counters:
        """From the first step, or from where an earlier process stopped, to the last."""
        state = self.folder.state()
        if state is not None:
            self._restore(state)
        if self._finished_early():
            return self.counters
        with _stop_signals(self), self._log() as log, self._display() as display:
            for text in notes(self.config, self.order):
                display.note(f"note: {text}")
            if self.init is not None and self.counters.step == 0:
                self._validate(log, display)
            begin = perf_counter() - self.counters.seconds
            for batch in self.clock.waiting(prefetched(self.batches, self.counters.step, self.steps)):
                self._step(self._on_device(batch))
                self.counters.seconds = perf_counter() - begin
                self._after_step(log, display)
                if self._finished_early():
                    break
        return self.counters

    def _on_device(self, batch: Batch) -> Batch:
        if not batch.ids:
            return batch
        inputs = batch.images.to(self.world.device)
        return replace(batch, images=self.data.source.features(inputs))

    def _step(self, batch: Batch) -> None:
        """One update of the weights."""
        step = self.counters.step
        self.optimizer.zero_grad(set_to_none=True)
        done = self._loss(batch, step)
        names = self.algorithm.logged
        numbers = [float(done.loss.detach()), float(self.asked_to_stop), *(done.log.get(name, 0.0) for name in names)]
        parameters = [parameter for group in self.optimizer.param_groups for parameter in group["params"]]
        loss, stopping, *logged = self.world.sum_gradients(parameters, numbers)
        norm = float(nn.utils.clip_grad_norm_(parameters, self.config.train.clip))
        if not torch.isfinite(torch.tensor([loss, norm])).all():
            raise self._exploded(loss, norm, batch)
        constant = self.algorithm.own_rates
        for group in self.optimizer.param_groups:
            group["lr"] = group["highest"] * (1.0 if group["part"] in constant else self._rate_share(step))
        self.optimizer.step()
        self.stopping = stopping > 0
        words = batch.global_words or batch.global_count
        self._count({"loss": loss, "gradient": norm, **dict(zip(names, logged, strict=True))}, words)

    def _exploded(self, loss: float, norm: float, batch: Batch) -> DataError:
        has_checkpoint = self.folder.checkpoint.exists()
        kept = f"the last good checkpoint is kept in {self.folder.path}" if has_checkpoint else "no checkpoint yet"
        return DataError(
            f"the loss of step {self.counters.step + 1} is {loss:g} and its gradient's length {norm:g} "
            f"(images {', '.join(batch.ids[:3])} …); {kept}: "
            "lower train.learning_rate or mend the data"
        )

    def _rate_share(self, step: int) -> float:
        """The learning rate of the captioner as a share of its highest; it begins when the captioner does."""
        waiting = self.config.learn.warmup
        return learning_rate_share(self.config.train, max(0, step - waiting), self.steps - waiting)

    def _loss(self, batch: Batch, step: int) -> Step:
        """The loss with its gradient; a process without examples has none, but must take part in the sum."""
        if not batch.ids:
            return Step(torch.zeros(()))
        with torch.autocast("cuda", torch.bfloat16, enabled=self.world.device.type == "cuda"):
            done = self.algorithm.loss(batch, step)
        done.loss.backward()  # type: ignore[no-untyped-call]
        return done

    def _count(self, numbers: dict[str, float], words: int) -> None:
        self.counters.step += 1
        self.clock.words += words
        for name, value in {**numbers, "steps": 1.0, "words": float(words)}.items():
            self.counters.sums[name] = self.counters.sums.get(name, 0.0) + value

    def _after_step(self, log: "RunLog | None", display: Display) -> None:
        """Log, validate and save where it is due."""
        step, train = self.counters.step, self.config.train
        sums = self.counters.sums
        display.step(step, {"loss": sums["loss"] / sums["steps"], "words/s": self.clock.words_a_second})
        if step % train.log_every == 0 or step in (self.steps, self.config.learn.warmup):
            self._log_training(log, display)
        validated = step % self.validate_every == 0 or step == self.steps
        if validated:
            self._validate(log, display)
        if self.stopping or validated or step % train.checkpoint_every == 0:
            self._save()
        if self.stopping and step < self.steps:
            raise InterruptedRunError(
                f"stopped at step {step:,} of {self.steps:,}; its state is in {self.folder.path}: "
                "run the same command again to go on"
            )

    def _log_training(self, log: "RunLog | None", display: Display) -> None:
        """The means since the line before."""
        sums, self.counters.sums = self.counters.sums, {}
        steps = sums.pop("steps")
        numbers = readable({name: value / steps for name, value in sums.items()})
        numbers["learning_rate"] = self._rate_share(self.counters.step - 1) * self.config.learning_rate
        if self.counters.step == self.config.learn.warmup and "explained_variance" in numbers:
            display.note(warmup_note(numbers["explained_variance"]))
        self._write(log, "train", {**numbers, **self.clock.numbers()})

    def _write(self, log: "RunLog | None", kind: str, numbers: dict[str, float]) -> None:
        if log is not None:
            numbers = {**numbers, "seconds": round(self.counters.seconds, 3)}
            self.counters.log_length = log.write(kind, self.counters.step, numbers)

    def _validate(self, log: "RunLog | None", display: Display) -> None:
        found, captions = self.validation.run(self.captioner.eval(), self.data.source, self.world)
        self.captioner.train()
        self.clock.pause()
        counters, score = self.counters, found.corpus[self.config.train.select]
        better = score > counters.best
        if better:
            counters.best, counters.best_step, counters.stale = score, counters.step, 0
        else:
            counters.stale += 1
        display.validation(counters.step, found.corpus, better)
        self._write(log, "validation", found.corpus)
        if self.world.main:
            self.folder.write_captions(f"step-{counters.step:08}", captions)
            if better:
                self._keep_best(found)

    def _keep_best(self, scores: Scores) -> None:
        encoder, facts = self.data.source.encoder, self._facts(scores)
        if encoder is not None:
            facts["features"]["network"] = save_tuned(self.folder.best, encoder)
        self.captioner.facts = facts
        save_model(self.folder.best, self.captioner)

    def _finished_early(self) -> bool:
        return bool(self.config.train.patience) and self.counters.stale >= self.config.train.patience

    def _facts(self, scores: Scores) -> dict[str, Any]:
        """What the model card says."""
        return {
            "data": self.data.facts,
            "features": {"network": self.data.source.network, "width": self.data.source.width},
            "algorithm": self.config.learn.algorithm,
            "steps": self.counters.step,
            "seed": self.config.train.seed,
            "metrics": {
                name: {"value": value, "signature": scores.signature[name]} for name, value in scores.corpus.items()
            },
        }

    def _save(self) -> None:
        if self.world.main:
            self.folder.save(
                {
                    "data": self.data.identity,
                    "counters": asdict(self.counters),
                    "module": self.module.state_dict(),
                    "optimizer": self.optimizer.state_dict(),
                }
            )
        self.world.wait()

    def _restore(self, state: dict[str, Any]) -> None:
        try:
            # Older checkpoints do not say what they were trained on.
            self._check_same_data(state.get("data", {}))
            self.counters = _counters(state["counters"])
            self.module.load_state_dict(state["module"])
            self.optimizer.load_state_dict(state["optimizer"])
        except (LookupError, TypeError, ValueError, AttributeError, RuntimeError):
            raise DataError(
                f"{self.folder.checkpoint} is not the state of a run with this model and these data; "
                "choose another `out`"
            ) from None

    def _check_same_data(self, earlier: dict[str, object]) -> None:
        for name, found in self.data.identity.items():
            before = earlier.get(name, found)
            if before != found:
                raise DataError(
                    f"{self.folder.path} is a run on other data: {name} is {before!s:.8} there and {found!s:.8} here; "
                    "make the data as they were, or choose another `out`"
                )

    @contextmanager
    def _log(self) -> Iterator["RunLog | None"]:
        if not self.world.main:
            yield None
            return
        with self.folder.log(self.counters.log_length) as log:
            yield log

    @contextmanager
    def _display(self) -> Iterator[Display]:
        if not self.world.main:
            yield Silent()
            return
        with training_bar(self.config.learn.algorithm, self.counters.step, self.steps) as display:
            yield display


def _counters(found: dict[str, Any]) -> Counters:
    """The counters of a checkpoint, each of its own type."""
    counters, fresh = Counters(**found), asdict(Counters())
    for name, value in asdict(counters).items():
        if type(value) is not type(fresh[name]):
            raise TypeError(name)
    return counters


def _parts(module: nn.ModuleDict, own: Collection[str]) -> dict[str, list[nn.Parameter]]:
    """The parameters by the part that they belong to; the algorithm's parts `own` stand for themselves."""
    parts: dict[str, list[nn.Parameter]] = {}
    for name, parameter in module.named_parameters():
        whole, part, *_ = name.split(".")
        parts.setdefault(part if whole == "algorithm" and part in own else whole, []).append(parameter)
    return parts


def make_validation(config: Config, data: TrainingData) -> Validation:
    """The validation images, as many as the configuration wants."""
    train = config.train
    images = data.validation[: train.validation_images or None]
    return Validation(images, train.metrics, config.decode.limit)


def _batches(config: Config, data: TrainingData, captioner: Captioner, order: Order, world: World) -> ImageBatches:
    if config.learn.examples == "captions":
        return CaptionBatches(data.train, captioner.vocabulary, order, data.source, world)
    return ImageBatches(data.train, order, data.source, world)


@contextmanager
def _stop_signals(trainer: Trainer) -> Iterator[None]:
    """On SIGINT and SIGTERM finish the step, save and stop; a second SIGINT stops at once."""

    def stop(number: int, frame: object) -> None:
        trainer.asked_to_stop = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
