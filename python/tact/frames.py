"""Arrays over the frames of a recording that are read when they are looked at."""

import numpy as np

from . import _tact


class FrameArray:
    """The vertices of a body in all frames: shape (frames, n, 3), read frame by frame.

    a[k] is an array (n, 3), a[i:j] an array (j - i, n, 3); np.asarray(a) reads them all.
    """

    dtype = np.dtype(float)
    ndim = 3

    def __init__(self, recording, body):
        self._recording = recording
        self._body = body
        self._count = recording._read_vertices(0, body).shape[0]

    @property
    def shape(self):
        """(frames, vertices, 3)."""
        return (len(self), self._count, 3)

    def __len__(self):
        return len(self._recording)

    def __getitem__(self, key):
        frames, rest = (key[0], key[1:]) if isinstance(key, tuple) else (key, ())
        if isinstance(frames, slice):
            numbers = range(len(self))[frames]
            found = np.empty((len(numbers), self._count, 3))
            for place, number in enumerate(numbers):
                found[place] = self._recording._read_vertices(number, self._body)
            return found[(slice(None),) + rest] if rest else found
        found = self._recording._read_vertices(frames, self._body)
        return found[rest] if rest else found

    def __array__(self, dtype=None):
        return np.asarray(self[:], dtype=dtype)

    def __repr__(self):
        return f"<tact.FrameArray of {self._body}: {self.shape}>"


class Recording(_tact.Recording):
    __doc__ = _tact.Recording.__doc__

    def vertices(self, body):
        """m: the surface of a body in all frames, a FrameArray (frames, n, 3)."""
        return FrameArray(self, body)
