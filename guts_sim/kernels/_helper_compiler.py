"""How helpers are compiled: to LLVM code only, in few passes.

This leans on inner parts of numba, which is why `guts_sim.kernels._jit` asks for it only with versions of numba that
it is known to work with. A test compares results with and without it.
"""

import ctypes
from typing import ClassVar

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

# Passes over closures, comprehensions, `with`, literals, array expressions and unsupported code, and a listing.
_PASSES_LEFT_OUT = {
    "with_lifting",
    "inline_closure_likes",
    "rewrite_semantic_constants",
    "dead_branch_prune",
    "Rewrite dynamic raises",
    "make_function_op_code_to_jit_function",
    "find_literally",
    "literal_unroll",
    "LiteralPropagation",
    "inline_overloads",
    "nopython_rewrites",
    "nopython_supported_feature_validation",
    "annotate_types",
}
# What Python runs that calls a helper: it raises a TypeError.
_REFUSE = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value


class _HelperCode(JITCodeLibrary):
    """LLVM code of a helper, optimised, for kernels to link; never made into machine code."""

    def _finalize_final_module(self):
        self._finalized = True


class _LeanCode(_HelperCode):
    """LLVM code of a lean helper, to be optimised as part of a kernel."""

    def _optimize_final_module(self):
        pass


class HelperCompiler(Compiler):
    """Compiles for callers that are compiled themselves: to LLVM code, in few passes."""

    code: ClassVar[type[JITCodeLibrary]] = _HelperCode

    def __init__(self, typingctx, targetctx, library, args, return_type, flags, locals):
        flags.no_compile = True
        library = self.code(targetctx.codegen(), "helper")
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)

    def define_pipelines(self):
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [each for each in pipeline.passes if each[0].name() not in _PASSES_LEFT_OUT]
            pipeline.finalize()
        return pipelines

    def compile_extra(self, func):
        result = super().compile_extra(func)
        fndesc = result.fndesc
        # numba files the code of a function under the object that Python would call.
        entry = _dynfunc.make_function(
            fndesc.lookup_module(), fndesc.qualname, "", _REFUSE, result.environment, (result.library,)
        )
        self.state.targetctx.insert_user_function(entry, fndesc, [result.library])
        return result._replace(entry_point=entry)


class LeanCompiler(HelperCompiler):
    code = _LeanCode
