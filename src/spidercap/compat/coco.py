"""`COCO` and `COCOEvalCap` for caption files, with the attributes that evaluation scripts read."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from spidercap.compat.scorers import Bleu, Cider, Meteor, PTBTokenizer, Rouge, Spice
from spidercap.files import read_json
from spidercap.terminal import say

Record = dict[str, Any]


class COCO:
    """A COCO caption file: its images and annotations, by id."""

    def __init__(self, annotation_file: str | Path | None = None) -> None:
        self.dataset: Record = {}
        self.anns: dict[Any, Record] = {}
        self.imgs: dict[Any, Record] = {}
        self.imgToAnns: dict[Any, list[Record]] = defaultdict(list)
        if annotation_file is not None:
            self.dataset = read_json(Path(annotation_file))
            self.createIndex()

    def createIndex(self) -> None:  # noqa: N802
        """Index images and annotations by id."""
        self.imgs = {image["id"]: image for image in self.dataset.get("images", [])}
        self.anns = {annotation["id"]: annotation for annotation in self.dataset.get("annotations", [])}
        self.imgToAnns = defaultdict(list)
        for annotation in self.dataset.get("annotations", []):
            self.imgToAnns[annotation["image_id"]].append(annotation)

    def getImgIds(self) -> list[Any]:  # noqa: N802
        """The ids of all images."""
        return list(self.imgs)

    def getAnnIds(self, imgIds: Any = ()) -> list[Any]:  # noqa: N802, N803
        """The ids of the annotations of some images, or of all."""
        images = _listed(imgIds)
        found = (self.imgToAnns[image] for image in images) if images else self.imgToAnns.values()
        return [annotation["id"] for annotations in found for annotation in annotations]

    def loadAnns(self, ids: Any = ()) -> list[Record]:  # noqa: N802
        """The annotations with these ids, or with one."""
        return [self.anns[identity] for identity in _listed(ids)]

    def loadImgs(self, ids: Any = ()) -> list[Record]:  # noqa: N802
        """The images with these ids, or with one."""
        return [self.imgs[identity] for identity in _listed(ids)]

    def loadRes(self, resFile: str | Path | list[Record]) -> "COCO":  # noqa: N802, N803
        """A system's captions, `[{"image_id", "caption"}]`, as another COCO object on the same images."""
        results = read_json(Path(resFile)) if isinstance(resFile, str | Path) else resFile
        if not isinstance(results, list):
            raise AssertionError("results is not an array of objects")
        if not {result["image_id"] for result in results} <= set(self.imgs):
            raise AssertionError("Results do not correspond to current coco set")
        given = {result["image_id"] for result in results}
        loaded = COCO()
        loaded.dataset = {
            "images": [image for image in self.dataset["images"] if image["id"] in given],
            "annotations": [result | {"id": number} for number, result in enumerate(results, 1)],
        }
        loaded.createIndex()
        return loaded


def _listed(ids: Any) -> list[Any]:
    """Ids given as a list, or one alone."""
    return list(ids) if isinstance(ids, Iterable) and not isinstance(ids, str) else [ids]


class _Scorer(Protocol):
    def compute_score(self, gts: Any, res: Any, verbose: int = 1) -> tuple[Any, Any]: ...


class COCOEvalCap:
    """The COCO caption evaluation: tokenise, score, and keep results by metric and by image."""

    def __init__(self, coco: COCO, cocoRes: COCO) -> None:  # noqa: N803
        self.coco, self.cocoRes = coco, cocoRes
        self.params: Record = {"image_id": coco.getImgIds()}
        self.eval: dict[str, float] = {}
        self.evalImgs: list[Record] = []
        self.imgToEval: dict[Any, Record] = {}

    def evaluate(self) -> None:
        """Fill `eval` (metric → corpus value), `evalImgs` and `imgToEval` (image id → metric → value)."""
        images = self.params["image_id"]
        gts = PTBTokenizer().tokenize({image: self.coco.imgToAnns[image] for image in images})
        res = PTBTokenizer().tokenize({image: self.cocoRes.imgToAnns[image] for image in images})
        scorers: list[tuple[_Scorer, str | list[str]]] = [
            (Bleu(4), ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4"]),
            (Meteor(), "METEOR"),
            (Rouge(), "ROUGE_L"),
            (Cider(), "CIDEr"),
            (Spice(), "SPICE"),
        ]
        for scorer, method in scorers:
            score, scores = scorer.compute_score(gts, res)
            named = [(method, score, scores)] if isinstance(method, str) else zip(method, score, scores, strict=True)
            for name, corpus, values in named:
                self.setEval(corpus, name)
                # SPICE's values are of sorted images; the original takes them for those of `gts` as it is.
                self.setImgToEvalImgs(values, Spice.order(gts) if name == "SPICE" else gts.keys(), name)
                say(f"{name}: {corpus:.3f}")
        self.evalImgs = list(self.imgToEval.values())

    def setEval(self, score: float, method: str) -> None:  # noqa: N802
        """Keep a corpus value."""
        self.eval[method] = score

    def setImgToEvalImgs(self, scores: Iterable[float], imgIds: Iterable[Any], method: str) -> None:  # noqa: N802, N803
        """Keep the values of images."""
        for image, score in zip(imgIds, scores, strict=True):
            self.imgToEval.setdefault(image, {"image_id": image})[method] = score
