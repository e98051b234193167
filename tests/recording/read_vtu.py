"""read_vtu.py FILE FOLDER: reads a VTU file with meshio and writes its arrays raw into FOLDER."""
import pathlib
import sys

import meshio

mesh = meshio.read(sys.argv[1])
folder = pathlib.Path(sys.argv[2])
arrays = {
    "points": mesh.points.astype("<f8"),
    "triangles": mesh.cells_dict["triangle"].astype("<i4"),
    "velocity": mesh.point_data["velocity"].astype("<f8"),
    "vertex_body": mesh.point_data["body"].astype("<i4"),
    "triangle_body": mesh.cell_data["body"][0].astype("<i4"),
    "triangle_kind": mesh.cell_data["kind"][0].astype("<i4"),
}
for name, array in arrays.items():
    (folder / name).write_bytes(array.tobytes())
