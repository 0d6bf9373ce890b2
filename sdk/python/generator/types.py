"""What the generated code is built on, in place of the generator's own: here an absent field is None, and no type of its own."""

from collections.abc import MutableMapping
from http import HTTPStatus
from typing import TYPE_CHECKING, BinaryIO, Generic, TypeVar

from attrs import define

if TYPE_CHECKING:
    from typing import TypeAlias

    Unset: TypeAlias = None
else:
    Unset = type(None)  # for isinstance

UNSET: None = None

T = TypeVar("T")

FileTypes = object  # of requests, of which none has files


@define
class File:
    """An answer that isn't JSON."""

    payload: BinaryIO


@define
class Response(Generic[T]):
    """An answer, and what it was read as."""

    status_code: HTTPStatus
    content: bytes
    headers: MutableMapping[str, str]
    parsed: T | None


__all__ = ["UNSET", "File", "FileTypes", "Response", "Unset"]
