# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the random kernels of ./dev fuzz.

Every thread runs a random mix of arithmetic (integers of 8 to 128 bits, and in every second kernel floating point of 16 to 64), divergent
branches, loops of all kinds with bounds that depend on the thread, switch, goto, early return, local arrays and structs with divergent indices,
functions that stay calls, sums over loops of all threads, reads of global memory by indices that may wrap around, accesses of struct members, shared memory, barriers of the
block and of some of its warps, warp functions of all lanes and of some, tiles of cooperative groups, and commutative atomics.

What a kernel computes depends on nothing but its input, so that every way to run it gives the same. A kernel without floating point does
nothing that CUDA leaves undefined or to the processor: a GPU must agree on it bit by bit.
"""

KERNELS_A_PROGRAM = 8
BLOCKS = [(32, 1, 1), (64, 1, 1), (96, 1, 1), (100, 1, 1), (128, 1, 1), (16, 16, 1), (16, 4, 2), (16, 3, 1), (8, 8, 1), (8, 4, 4), (8, 5, 1), (33, 2, 1),
          (256, 1, 1), (7, 1, 1), (64, 2, 1), (48, 2, 1), (4, 4, 8)]
FLOATING = ["float", "double", "__half", "__nv_bfloat16"]
SMALL_FLOATING = FLOATING[2:]
INTEGERS = ["int", "int", "unsigned", "unsigned", "long long", "unsigned long long", "short", "unsigned short", "unsigned char", "signed char", "bool",
            "__int128", "unsigned __int128"]
LANES = [0x0000FFFF, 0xFFFF0000, 0x00FF00FF, 0x55555555, 0x0F0F0F0F, 0xFFFFFFFE, 0x80000001, 0x00000010, 0x7FFFFFFF]


class Kernel:
    """Writes one kernel. `depth` bounds nesting; `uniform` is true where all threads of the block come by."""

    def __init__(self, rng, name):
        self.rng = rng
        self.name = name
        self.floating = rng.random() < 0.5
        self.lines = []
        self.variables = []  # (name, type)
        self.counter = 0
        self.stores = 0
        self.left = False  # some threads may have left the kernel
        self.statements = [
            (3, self.declare), (4, self.assign), (3, self.branch), (2, self.count), (1, self.jump), (1, self.switch), (1, self.local_array),
            (2, self.meeting), (1, self.own_place), (1, self.member), (1, self.shared_atomic), (1, self.row), (1, self.call), (1.5, self.atomic),
            (0.5, self.retry), (0.5, self.float_atomic), (0.7, self.do_while), (0.6, self.jump_about), (0.8, self.local_struct), (0.5, self.volatile),
            (0.7, self.bools), (2, self.some_lanes), (1, self.sum_up),
        ]
        if rng.random() < 0.2:  # warps that do nothing else run jointly
            self.statements = [(4, self.sum_up), (2, self.exchange_evenly), (1, self.declare), (1, self.assign)]

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    def put(self, indent, text):
        self.lines.append("  " * indent + text)

    # Expressions

    def of_kind(self, floating):
        return [f"(float){n}" if t in SMALL_FLOATING else n for n, t in self.variables if (t in FLOATING) == floating]

    def integer(self, depth=2):
        rng = self.rng
        if rng.random() < 0.08:
            return self.read()
        if depth == 0 or rng.random() < 0.25:
            names = self.of_kind(False)
            if names and rng.random() < 0.8:
                return rng.choice(names)
            return rng.choice(["tid", "n", "(int)blockIdx.x", "(int)threadIdx.x", "(int)threadIdx.y", "lane", "acc",
                               str(rng.randrange(-40, 300)), "0x7fffffff", f"in[tid % {rng.choice([64, 61, 7])}]", "in[tid]", "in[(tid + 3) & 1023]",
                               "in[n & 31]"])
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        kind = rng.randrange(10 if self.floating else 9)
        if kind < 4:
            # Unsigned inside: overflow of signed numbers is undefined.
            signed, plain = rng.choice([("int", "unsigned"), ("int", "unsigned"), ("long long", "unsigned long long"), ("__int128", "unsigned __int128")])
            return f"({signed})(({plain})({a}) {rng.choice(['+', '-', '*', '&', '|', '^'])} ({plain})({b}))"
        if kind == 4:
            if rng.random() < 0.5:
                return f"(int)((unsigned)({a}) << {rng.randrange(0, 7)})"
            return f"({a} >> {rng.randrange(0, 7)})"
        if kind == 5:
            return self.quotient(a, b)
        if kind == 6:
            return f"({self.condition(depth - 1)} ? {a} : {b})"
        if kind == 7:
            return rng.choice(["__popc((unsigned)({}))", "__clz((int)({}))", "(int)__brev((unsigned)({}))", "__ffs((int)({}))",
                               "__clzll((long long)({}))", "__popcll((unsigned long long)({}))"]).format(a)
        if kind == 8:
            return f"{rng.choice(['min', 'max', '__mulhi', '__hadd'])}((int)({a}), (int)({b}))"
        return f"({rng.choice(['int', 'short', 'unsigned char', 'long long', 'unsigned'])})({self.number(depth - 1)} + zero)"

    def quotient(self, a, b):
        operator = self.rng.choice(["/", "%"])
        if self.rng.random() < 0.5:
            return f"((unsigned)({a}) {operator} {self.rng.randrange(1, 99)}u)"
        if self.floating and self.rng.random() < 0.5:
            return f"({a} {operator} {b})"
        return f"(({a}) {operator} (int)(((unsigned)({b}) & 1023u) + 1u))"

    def index(self):
        """Steps by a constant from thread to thread, and may wrap around."""
        rng = self.rng
        who = rng.choice(["tid", "threadIdx.x", "threadIdx.y", "(blockIdx.x * blockDim.x + threadIdx.x)", "lane",
                          "(threadIdx.y * blockDim.x + threadIdx.x)", "(threadIdx.y * n + threadIdx.x)", "thread"])
        start = rng.choice(["0u", "7u", "0xfffffff0u", "0xffffffe9u", "(unsigned)n", "(0u - (unsigned)n)", "40u"])
        return f"((unsigned)({who}) * {rng.choice(['1u', '1u', '1u', '2u', '3u', '0xffffffffu'])} + {start})"

    def read(self):
        rng = self.rng
        form = rng.choice(["at(in, {i})", "at(in, {i})", "at(in, {i})", "in4[tid].{m}", "(in4[tid].y ^ in4[tid].{m})", "in3[tid].{t}",
                           "(in3[tid].x + in3[tid].{t})", "in2[tid + 1].{d}", "in2[thread + n].{d}", "((const short *)in)[2 * tid + 1]",
                           "(int)((const long long *)in)[tid]", "((const unsigned char *)in)[4 * tid + {k}]", "rows[threadIdx.y][threadIdx.x]",
                           "rows[threadIdx.y + n][0]", "rows[n][threadIdx.x]", "rows[threadIdx.x][threadIdx.y]",
                           "((const unsigned short *)in)[tid + {k}]", "(long long)((const __int128 *)in)[tid]", "((const bool *)(in + 31 * 1024))[tid]"])
        return form.format(i=self.index(), m=rng.choice("xyzw"), t=rng.choice("xyz"), d=rng.choice("xy"), k=rng.randrange(4))

    def number(self, depth=2):
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            names = self.of_kind(True)
            return rng.choice(names) if names and rng.random() < 0.8 else f"{rng.uniform(-8, 8):.3f}f"
        a, b = self.number(depth - 1), self.number(depth - 1)
        kind = rng.randrange(7)
        if kind < 3:
            return f"({a} {rng.choice(['+', '-', '*'])} {b})"
        if kind == 3:
            return f"fmaf((float)({a}), (float)({b}), 0.5f)"
        if kind == 4:
            return f"{rng.choice(['fabsf', 'floorf', 'sqrtf', 'expf', 'sinf', 'logf', 'atanf'])}((float)({a}))"
        if kind == 5:
            small = rng.choice(SMALL_FLOATING)
            call = rng.choice(["__hadd({}, {})", "__hmul({}, {})", "__hmax({}, {})", "({} - {})", "__hfma({}, {}, ({})1.5f)"])
            return "(float)" + call.format(f"({small})(float)({a})", f"({small})(float)({b})", small)
        return f"(float)({self.integer(depth - 1)})"

    def condition(self, depth=1):
        rng = self.rng
        if rng.random() < 0.3:
            return rng.choice(["(tid & 1)", "(lane < 9)", f"(threadIdx.x < {rng.choice([32, 64, 5])})", "(n > 3)", "(in[tid] > 0)", "(blockIdx.x & 1)"])
        if rng.random() < 0.2 and depth > 0:
            return f"({self.condition(depth - 1)} {rng.choice(['&&', '||'])} {self.condition(depth - 1)})"
        return f"({self.integer(1)} {rng.choice(['<', '>', '==', '!=', '<=', '>='])} {self.integer(1)})"

    def whole_number(self):
        return f"(unsigned)({self.integer(1)})"

    def bound(self):
        """How often a loop runs, and whether all threads of the block agree."""
        bound = self.rng.choice(["(tid & 7)", "n", "5", f"(in[tid] & {self.rng.choice([3, 15])})", "(lane % 5)", "(int)(blockIdx.x + 2)"])
        return bound, bound in ("n", "5", "(int)(blockIdx.x + 2)")

    # Statements: each is a method of (indent, depth, uniform, loop), and does nothing where it cannot stand.

    def statement(self, indent, depth, uniform, loop):
        weights, methods = zip(*self.statements)
        method = self.rng.choices(methods, weights)[0]
        if not self.variables:
            method = self.declare
        elif depth == 0:
            method = self.assign
        method(indent, depth, uniform, loop)

    def block(self, indent, depth, uniform, loop):
        scope = len(self.variables)
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(indent, depth, uniform, loop)
        del self.variables[scope:]

    def declare(self, indent, *_):
        name, of = self.fresh("v"), self.rng.choice(INTEGERS + (FLOATING + FLOATING if self.floating else []))
        self.put(indent, f"{of} {name} = {self.value_of(of)};")
        self.variables.append((name, of))

    def value_of(self, kind):
        if kind in SMALL_FLOATING:
            return f"({kind})(float)({self.number()})"
        return f"({kind})({self.number() if kind in FLOATING else self.integer()})"

    def assign(self, indent, *_):
        name, kind = self.rng.choice(self.variables)
        value = self.value_of(kind)
        if kind not in FLOATING and self.rng.random() < 0.4:
            value = f"({kind})((unsigned long long)({name}) + (unsigned long long)({value}))"
        self.put(indent, f"{name} = {value};")

    def branch(self, indent, depth, uniform, loop):
        self.put(indent, f"if {self.condition()} {{")
        self.block(indent + 1, depth - 1, False, loop)
        if self.rng.random() < 0.5:
            self.put(indent, "} else {")
            self.block(indent + 1, depth - 1, False, loop)
        self.put(indent, "}")

    def count(self, indent, depth, uniform, _):
        i = self.fresh("i")
        bound, even = self.bound()
        self.put(indent, f"for (int {i} = 0; {i} < {bound}; {i}++) {{")
        self.block(indent + 1, depth - 1, uniform and even, "even" if even and uniform else "any")
        self.put(indent, "}")

    def sum_up(self, indent, depth, uniform, _):
        """Sums of small whole numbers, which are exact in any order, from places near and far."""
        rng = self.rng
        names = [self.fresh("s") for _ in range(rng.randrange(1, 4))]
        i, far = self.fresh("i"), self.fresh("f")
        self.put(indent, f"{{ float {' = 0, '.join(names)} = 0; int {far} = tid;")
        self.put(indent, f"  for (int {i} = 0; {i} < {rng.choice(['n', '5', 'n + 9', '16'])}; {i}++) {{")
        for name in names:
            what = rng.choice(["((const unsigned char *)in)[in[{f}] & 4095]", "((const short *)in)[in[{f}] & 2047]", "in[in[{f}] & 1023]", "in[{f}]",
                               "in[{i}]", "((const unsigned char *)in)[{f}]", "((const bool *)(in + 31 * 1024))[in[{f}] & 1023]", "in[{f} * 3 & 4095]",
                               "(shared[(thread + {i}) % threads] & 255)", "(shared[(in[{f}] & 4095) % threads] & 255)",
                               "(int)(local[in[{f}] & 7] & 63u)", "in4[{i}].y", "in2[{f}].x", "(in[{f}] > 20 ? in[{i}] : in[{i} + 1])"])
            self.put(indent, f"    {name} {rng.choice(['+=', '+=', '-='])} (float){what.format(i=i, f=far)}{rng.choice(['', ' * 0.5f', ' * 3'])};")
        self.put(indent, f"    {far} = ({far} + {rng.choice(['1', 'threads', '32', '129'])}) & 4095;")
        self.put(indent, f"  }} acc += (unsigned)(int)({' + '.join(names)}) * {rng.randrange(1, 9)}u; }}")

    def exchange_evenly(self, indent, depth, uniform, _):
        if uniform:
            self.exchange(indent)

    def do_while(self, indent, depth, uniform, _):
        i = self.fresh("i")
        bound, even = self.bound()
        self.put(indent, f"{{ int {i} = 0; do {{")
        self.block(indent + 1, depth - 1, uniform and even, "even" if even and uniform else "any")
        self.put(indent, f"}} while (++{i} < {bound}); }}")

    def jump(self, indent, depth, uniform, loop):
        if loop == "any":  # an even one may have barriers, at which all threads of the block have to meet in every turn
            self.put(indent, f"if {self.condition()} {self.rng.choice(['break', 'continue'])};")

    def jump_about(self, indent, depth, *_):
        """Jumps back, forward out of the loop, and into its middle."""
        i, again, middle, out = (self.fresh(stem) for stem in ("i", "again", "middle", "out"))
        self.put(indent, f"{{ int {i} = 0;")
        if self.rng.random() < 0.4:
            self.put(indent, f"  if {self.condition()} goto {middle};")
        self.put(indent, f"  {again}: acc = acc * 5u + {self.whole_number()};")
        self.put(indent, f"  {middle}: acc ^= {self.whole_number()};")
        if self.rng.random() < 0.5:
            self.put(indent, f"  if {self.condition()} goto {out};")
        self.put(indent, f"  if (++{i} < {self.bound()[0]}) goto {again};")
        self.put(indent, f"  acc += {self.whole_number()};")
        self.put(indent, f"  {out}:; }}")

    def switch(self, indent, depth, *_):
        rng = self.rng
        self.put(indent, f"switch ({self.whole_number()} % {rng.randrange(2, 5)}u) {{")
        for case in range(rng.randrange(1, 4)):
            self.put(indent, f"  case {case}:")
            self.put(indent, "  {")
            self.block(indent + 2, depth - 1, False, None)
            self.put(indent, "  }" + (" break;" if rng.random() < 0.7 else ""))
        self.put(indent, "  default:")
        self.assign(indent + 2)
        self.put(indent, "}")

    def local_array(self, indent, *_):
        self.put(indent, f"local[{self.whole_number()} % 8u] {self.rng.choice(['=', '+='])} {self.whole_number()};")
        self.assign(indent)
        self.put(indent, f"acc += local[{self.whole_number()} % 8u];")

    def bools(self, indent, *_):
        """Arrays of bool: local, and in global memory one for each thread."""
        place = self.rng.choice([f"flags[{self.whole_number()} % 8u]", f"flags[{self.whole_number()} % 8u]", "truths[tid]", "truths[tid + 1024]"])
        self.put(indent, f"{place} {self.rng.choice(['=', '^=', '|='])} {self.condition()};")
        self.put(indent, f"if (flags[{self.whole_number()} % 8u] {self.rng.choice(['&&', '||', '!='])} truths[tid]) acc += {self.whole_number()};")

    def local_struct(self, indent, *_):
        rng = self.rng
        which = rng.choice(["pack", "pack", "spare"])
        self.put(indent, rng.choice([
            f"{which}.c[{self.whole_number()} % 5u] += (unsigned char)({self.integer(1)});",
            f"{which}.b = (short)({self.integer(1)}); {which}.d = {self.condition()};",
            f"{which}.e ^= (long long)({self.integer(1)});",
            f"spare = pack; pack.a = (int)({self.integer(1)});",
            f"({self.condition()} ? &pack : &spare)->b = (short)({self.integer(1)});",
            f"outer(&{which}, &acc, (int)({self.whole_number()} % 4u));",
            f"outer({self.condition()} ? &pack : &spare, local + {self.whole_number()} % 8u, n & 3);"]))
        self.put(indent, f"acc {rng.choice(['+=', '^='])} (unsigned){rng.choice(['pack.a', 'pack.b', f'pack.c[{self.whole_number()} % 5u]', 'pack.d', 'spare.e', 'spare.b'])};")

    def volatile(self, indent, *_):
        name = self.fresh("k")
        self.put(indent, f"{{ volatile {self.rng.choice(['int', 'unsigned short', 'long long'])} {name} = {self.whole_number()};")
        self.put(indent, f"  {name} = (int)((unsigned){name} + 1u); acc ^= (unsigned){name}; }}")

    def own_place(self, indent, *_):
        """No two threads write the same place, and no other statement does."""
        if self.stores == 4:
            return
        place = self.fresh("p")
        self.put(indent, f"{{ unsigned {place} = (unsigned)tid * {self.rng.choice(['1u', '2u', '3u', '0xffffffffu'])} + "
                         f"{self.rng.choice(['0u', '9u', '0xfffffff3u', '800u', '(unsigned)n'])};")
        self.put(indent, f"  if ({place} < 4096u) extra[{self.stores} * 4096 + {place}] = {self.whole_number()}; }}")
        self.stores += 1

    def member(self, indent, *_):
        rng = self.rng
        member = rng.choice(["mine4[tid].x", "mine4[tid].z", "mine3[tid].y", "mine3[tid].z"])
        self.put(indent, f"{member} {rng.choice(['=', '+='])} {self.whole_number()};")
        if rng.random() < 0.5:
            self.put(indent, f"acc += {rng.choice([member, 'mine4[tid].x', 'mine3[tid].y'])};")
        if rng.random() < 0.3:
            self.put(indent, f"mine4[tid] = make_uint4(acc, {self.whole_number()}, 3u, (unsigned)tid);")

    def call(self, indent, *_):
        call = self.rng.choice(["table[(unsigned)({a}) % 4u]((unsigned)({b}), n)", "depth((unsigned)({a}) % 9u, {k})", "thing((unsigned)({a}) % 3u)->of((int)({b}))"])
        self.put(indent, f"acc {self.rng.choice(['+=', '^='])} (unsigned){call.format(a=self.integer(1), b=self.integer(1), k=self.rng.randrange(4))};")

    def row(self, indent, *_):
        """Each thread goes its own way through the input, by indices that it reads there."""
        rng = self.rng
        j, end, c, s = (self.fresh(stem) for stem in "jecs")
        step = rng.choice(["++", "++", " += 3", " += n + 1"])
        self.put(indent, f"{{ int {j} = in[tid & {rng.choice([63, 1023])}] & {rng.choice([31, 255])}; unsigned {s} = 0;")
        self.put(indent, f"  const int {end} = {j} - 2 + (int)({self.whole_number()} % {rng.choice([5, 40])}u);")
        self.put(indent, f"  for (; {j} < {end}; {j}{step}) {{ const int {c} = in[{j} & 1023];")
        if rng.random() < 0.4:
            self.put(indent, f"    if ({c} % 7 == {rng.randrange(3)}) {rng.choice(['break', 'continue'])};")
        self.put(indent, f"    {s} {rng.choice(['+=', '^='])} (unsigned)in[{c} & 4095] * {rng.choice(['3u', '(unsigned)n'])} + (unsigned){rng.choice([j, c])}; }}")
        self.put(indent, f"  acc += {s}{rng.choice(['', f' + (unsigned){j}'])}; }}")

    # Atomics: none looks at what it gets back, and all on one place commute.

    def shared_atomic(self, indent, *_):
        rng = self.rng
        op, array = rng.choice([("Add", "hist"), ("Max", "most"), ("Min", "least"), ("Xor", "odd"), ("Or", "any")])
        where = rng.choice(["(unsigned)({}) % 16u", "(unsigned)({}) % 16u", "n", "threadIdx.y % 16u", "threadIdx.x & 15u"])
        self.put(indent, f"atomic{op}(&{array}[{where.format(self.integer(1))}], {self.whole_number()});")

    def place_of_atomic(self):
        return self.rng.choice([f"{self.whole_number()} % 16u", "n", "3", "blockIdx.x"])

    def atomic(self, indent, *_):
        op, array, kind = self.rng.choice([
            ("Add", "sums", "unsigned"), ("Add", "sums", "unsigned"), ("Max", "sums + 16", "unsigned"), ("Min", "sums + 32", "unsigned"),
            ("Xor", "sums + 48", "unsigned"), ("And", "sums + 64", "unsigned"), ("Add", "(unsigned long long *)(sums + 128)", "unsigned long long"),
            ("Max", "(long long *)(sums + 160)", "long long")])
        self.put(indent, f"atomic{op}({array} + {self.place_of_atomic()}, ({kind})({self.integer(1)}));")

    def float_atomic(self, indent, *_):
        """Small whole numbers, whose sums are exact in every order."""
        kind, value = self.rng.choice([("float", "(float)(x)"), ("double", "(double)(x)"), ("float2", "make_float2((float)(x), 1.0f)"),
                                       ("float4", "make_float4((float)(x), 1.0f, (float)(x & 1u), 2.0f)")])
        start = {"float": 0, "double": 16, "float2": 48, "float4": 80}[kind]
        self.put(indent, f"{{ const unsigned x = {self.whole_number()} & 3u; "
                         f"atomicAdd(({kind} *)(numbers + {start}) + {self.place_of_atomic()}, {value}); }}")

    def retry(self, indent, *_):
        kind, start = self.rng.choice([("unsigned", "sums"), ("unsigned short", "(unsigned short *)(sums + 80)"),
                                       ("unsigned long long", "(unsigned long long *)(sums + 96)")])
        self.put(indent, f"{{ {kind} *place = {start} + {self.whole_number()} % 16u, expected, seen = *place;")
        self.put(indent, f"  const {kind} more = ({kind})({self.integer(1)});")
        self.put(indent, f"  do {{ expected = seen; seen = atomicCAS(place, expected, ({kind})(expected + more)); }} while (seen != expected); }}")

    # Where threads meet

    def meeting(self, indent, depth, uniform, _):
        """All threads of the block come by, but for those that have left the kernel: then only barriers of all."""
        if not uniform:
            return
        forms = [self.exchange, self.block_vote] + ([] if self.left else [self.shuffle, self.vote, self.reduce, self.tile, self.some_warps, self.matching,
                                                                          self.own_dynamic, self.both_sides, self.warps_in_turn])
        self.rng.choice(forms)(indent)

    def exchange(self, indent):
        self.put(indent, "__syncthreads();")
        self.put(indent, f"shared[thread] = (int)({self.integer(1)});")
        self.put(indent, "__syncthreads();")
        self.put(indent, f"acc ^= (unsigned)shared[(thread + {self.rng.choice([1, 5, 16, 33])}) % threads];")

    def own_dynamic(self, indent):
        self.put(indent, f"dynamic[thread] = {self.whole_number()}; __syncthreads();")
        self.put(indent, f"acc += dynamic[threads - 1 - thread] {self.rng.choice(['+', '^'])} dynamic[n % threads]; __syncthreads();")

    def block_vote(self, indent):
        self.put(indent, f"acc = acc * 3u + (unsigned)__syncthreads_{self.rng.choice(['count', 'count', 'or', 'and'])}({self.condition()});")

    def shuffle(self, indent):
        form = self.rng.choice(["__shfl_xor_sync(members, (int)({v}), {k})", "__shfl_down_sync(members, (int)({v}), {k})",
                                "__shfl_up_sync(members, (int)({v}), {k}, 8)", "__shfl_sync(members, (int)({v}), {k}, 16)",
                                "__shfl_sync(members, (int)({v}), lane ^ {k})", "__shfl_xor_sync(members, (unsigned long long)({v}), {k})"])
        self.put(indent, f"if (whole) acc += (unsigned){form.format(v=self.integer(1), k=self.rng.choice([1, 2, 4, 7]))};")

    def both_sides(self, indent):
        """Lanes on one side of a branch meet those on the other: all of a warp, or those that have voted so."""
        rng = self.rng
        lanes = self.fresh("m")
        voted = rng.choice(["members", f"__ballot_sync(members, {self.condition()})"])
        self.put(indent, f"if (whole) {{ const unsigned {lanes} = {voted}; if ({lanes} >> lane & 1u) {{")
        forms = [rng.choice(["__shfl_xor_sync({m}, (int)({v}), {k})", "__shfl_sync({m}, (int)({v}), (int)(({w}) & 31u))", "__ballot_sync({m}, {c})",
                             "__reduce_add_sync({m}, {w})", "__match_any_sync({m}, {w} & 3u)"]) for _ in range(rng.choice([1, 1, 2]))]
        ways = rng.choice([2, 2, 3])
        for way in range(ways):
            self.put(indent + 1, (f"if ({self.condition()}) {{" if way == 0 else "} else {" if way == ways - 1 else f"}} else if ({self.condition()}) {{"))
            for form in forms:
                if rng.random() < 0.6:
                    self.assign(indent + 2)
                call = form.format(m=lanes, v=self.integer(1), w=self.whole_number(), c=self.condition(), k=rng.choice([1, 2, 4, 7]))
                if "shfl" in form and voted != "members":  # a lane that is not named holds nothing
                    call = f"({call}, 0u)"
                self.put(indent + 2, f"acc {rng.choice(['+=', '^='])} (unsigned){call};")
        self.put(indent + 1, "} } }")

    def warps_in_turn(self, indent):
        """A warp for each 32 threads of the grid, in turns of which some are left out."""
        i = self.fresh("i")
        self.put(indent, f"if (threads % 32 == 0) for (int {i} = tid >> 5; {i} < {self.rng.randrange(3, 9)}; {i} += {self.rng.randrange(1, 4)}) {{")
        self.put(indent, f"  if ((tid >> 5) % 3 == {i} % 2) continue;")
        self.put(indent, f"  acc += __reduce_add_sync(members, {self.whole_number()} ^ (unsigned){i}); }}")

    def vote(self, indent):
        self.put(indent, f"if (whole) acc ^= __ballot_sync(members, {self.condition()});")

    def reduce(self, indent):
        self.put(indent, f"if (whole) acc += (unsigned)__reduce_add_sync(members, {self.whole_number()});")

    def tile(self, indent):
        rng = self.rng
        size = rng.choice([2, 4, 8, 16, 32])
        use = rng.choice([f"tile.shfl_xor({self.whole_number()}, {rng.randrange(size)})", f"tile.shfl({self.whole_number()}, {rng.randrange(size)})",
                          f"tile.shfl_down({self.whole_number()}, 1)", f"tile.ballot({self.condition()})", f"(unsigned)tile.any({self.condition()})",
                          f"cg::reduce(tile, {self.whole_number()}, cg::plus<unsigned>())", f"cg::inclusive_scan(tile, {self.whole_number()})",
                          f"tile.match_any({self.whole_number()} & 3u)", "tile.thread_rank() + tile.meta_group_rank()"])
        part = rng.choice(["", "", f" auto part = cg::labeled_partition(tile, (int)({self.whole_number()} % 3u)); tile.sync();",
                           f" auto part = cg::binary_partition(tile, {self.condition()}); tile.sync();"])
        more = f" acc ^= cg::reduce(part, {self.whole_number()}, cg::plus<unsigned>()) + part.size();" if part else ""
        self.put(indent, f"if (whole) {{ auto tile = cg::tiled_partition<{size}>(cg::this_thread_block());{part} acc += {use};{more} }}")

    def some_warps(self, indent):
        """Every second warp meets the others of its kind, at a barrier of their own."""
        self.put(indent, "{ const int side = (thread >> 5) & 1, others = ((threads + 31) / 32 + 1 - side) / 2 * 32;")
        barrier = 'asm volatile("bar.sync %0, %1;" ::"r"(1 + side), "r"(others) : "memory");'
        if self.rng.random() < 0.4:
            self.put(indent, "  if (side == 0) {")
        self.put(indent, f"  dynamic[thread] = {self.whole_number()}; {barrier}")
        self.put(indent, f"  acc += dynamic[thread + 64 < threads ? thread + 64 : thread & 63]; {barrier}")
        self.put(indent, "  }" if self.lines[-3].endswith("{") else "")
        self.put(indent, "}")

    def matching(self, indent):
        """Lanes that hold the same act together."""
        m = self.fresh("m")
        self.put(indent, f"if (whole) {{ const unsigned {m} = __match_any_sync(members, {self.whole_number()} & {self.rng.choice([1, 3, 7])}u);")
        self.put(indent, f"  acc += {self.together(m)}; }}")

    def some_lanes(self, indent, depth, uniform, _):
        """Warp functions where only some lanes are: by number, by what they hold, or as long as they stay in a loop."""
        if not uniform or self.left:
            return
        self.rng.choice([self.some_by_number, self.some_by_number, self.some_by_value, self.some_in_loop])(indent)

    def together(self, lanes):
        """Of the lanes that `lanes` names, which are those here."""
        value = self.whole_number()
        return self.rng.choice([f"__reduce_add_sync({lanes}, {value})", f"__ballot_sync({lanes}, {self.condition()})",
                                f"__shfl_sync({lanes}, {value}, __ffs((int)({lanes})) - 1)", f"(unsigned)__all_sync({lanes}, {self.condition()})",
                                f"__match_any_sync({lanes}, {value} & 3u)", f"__reduce_max_sync({lanes}, {value})", f"swap_in({lanes}, {value}, mail, thread)"])

    def some_by_number(self, indent):
        lanes = self.rng.choice(LANES)
        here, rest = f"0x{lanes:08x}u", f"0x{lanes ^ 0xffffffff:08x}u"
        self.put(indent, f"if (whole && ({here} >> lane & 1u)) {{")
        self.assign(indent + 1)
        self.put(indent, f"  acc += {self.together(here)};")
        if self.rng.random() < 0.4:
            self.put(indent, "} else if (whole) {")
            self.put(indent, f"  acc ^= {self.together(rest)};")
        self.put(indent, "}")

    def some_by_value(self, indent):
        m, c = self.fresh("m"), self.fresh("c")
        self.put(indent, f"if (whole) {{ const bool {c} = {self.condition()}; const unsigned {m} = __ballot_sync(members, {c});")
        self.put(indent, f"  if ({c}) {{")
        self.assign(indent + 2)
        self.put(indent, f"    acc += {self.together(m)};")
        if self.rng.random() < 0.5:
            self.put(indent, f"  }} else {{ acc ^= {self.together('~' + m)};")
        self.put(indent, "  } }")

    def some_in_loop(self, indent):
        m, i = self.fresh("m"), self.fresh("i")
        self.put(indent, f"if (whole) for (unsigned {m} = members, {i} = 0;; {i}++) {{")
        self.put(indent, f"  const bool stays = {i} < {self.whole_number()} % 6u;")
        self.put(indent, f"  {m} = __ballot_sync({m}, stays); if (!stays || {i} > 9u) break;")
        self.put(indent, f"  acc += {self.together(m)}; }}")

    def write(self):
        rng = self.rng
        self.put(0, f"__global__ void {self.name}(const int *in, unsigned *out, unsigned *sums, double *numbers, unsigned *extra, int n) {{")
        self.put(1, "__shared__ int shared[1024];")
        self.put(1, "__shared__ unsigned hist[16], most[16], least[16], odd[16], any[16], mail[1024];")
        self.put(1, "extern __shared__ unsigned dynamic[];")
        self.put(1, "const int4 *in4 = (const int4 *)in; const int3 *in3 = (const int3 *)in; const int2 *in2 = (const int2 *)in;")
        self.put(1, "const int (*rows)[32] = (const int (*)[32])in;")
        self.put(1, "uint4 *mine4 = (uint4 *)(extra + 4 * 4096); uint3 *mine3 = (uint3 *)(extra + 5 * 4096);")
        self.put(1, "bool *truths = (bool *)(extra + 8 * 4096);")
        self.put(1, "const int threads = blockDim.x * blockDim.y * blockDim.z;")
        self.put(1, "const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);")
        self.put(1, "const int tid = blockIdx.x * threads + thread, lane = thread & 31;")
        self.put(1, "const bool whole = (thread | 31) < threads;  // the warp has 32 lanes")
        self.put(1, "const unsigned members = 0xffffffffu;")
        self.put(1, "unsigned local[8] = {(unsigned)tid, 1, 2, 3, 4, 5, 6, 7};")
        self.put(1, "bool flags[8] = {true, false, (tid & 4) != 0};")
        self.put(1, "Pack pack = {tid, 2, {1, 2, 3, 4, 5}, false, n}, spare = {n, 3, {}, true, -1};")
        self.put(1, "const float zero = (float)(in[n & 31] & 0);  // a constant out of range is undefined")
        self.put(1, "unsigned acc = 0;")
        self.put(1, "shared[thread] = 0;")
        self.put(1, "if (thread == 0) for (int i = 0; i < 16; i++) hist[i] = most[i] = odd[i] = any[i] = 0, least[i] = ~0u;")
        self.put(1, "__syncthreads();")
        for _ in range(rng.randrange(5, 14)):
            self.statement(1, 3, True, None)
            if rng.random() < 0.07:
                self.put(1, f"if {self.condition()} {{ out[tid] = acc; return; }}")
                self.left = True
        for name, kind in self.variables:
            bits = f"__float_as_uint((float){name} + 0.0f)" if kind in FLOATING else f"(unsigned){name}"
            if kind.endswith("__int128"):
                bits = f"((unsigned){name} ^ (unsigned)({name} >> 64))"
            nan = f"((float){name} != (float){name} ? 1u : {bits})" if kind in FLOATING else bits
            self.put(1, f"acc = acc * 31u + {nan};")
        if not self.left:
            self.put(1, "__syncthreads();")
            self.put(1, "if (thread == 0) for (int i = 0; i < 16; i++) "
                        "atomicAdd(&sums[i], hist[i] + 3 * most[i] + 5 * least[i] + 7 * odd[i] + 11 * any[i]);")
        self.put(1, "out[tid] = acc + local[3];")
        self.put(0, "}")
        return "\n".join(self.lines)


# What the kernels call. By a pointer, recursive and virtual functions stay calls; structs are passed on by pointers.
FUNCTIONS = """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
__device__ int at(const int *in, unsigned i) { return i < 4096u ? in[i] : (int)i; }
__device__ unsigned same(unsigned x, int n) { return x + n; }
__device__ unsigned mine(unsigned x, int) { return x * 3u + threadIdx.x + 5u * threadIdx.y + blockIdx.x; }
__device__ unsigned turns(unsigned x, int n) { for (int i = 0; i < (int)(x % 5u) + n; i++) x = x * 5u + 1u; return x; }
__device__ unsigned wide(unsigned x, int n) { return (unsigned)(((unsigned long long)x * x) >> (n + 7)); }
__device__ unsigned (*const table[])(unsigned, int) = {same, mine, turns, wide};
__device__ unsigned depth(unsigned n, int k) { return n < 2u ? n + k : depth(n - 1u, k) * 2u + depth(n - 2u, k + 1); }
struct Thing { __device__ virtual int of(int x) const { return (int)((unsigned)x + 1u); } };
struct Lane : Thing { __device__ int of(int x) const override { return x ^ (int)threadIdx.x; } };
struct Far : Thing { __device__ int of(int x) const override { return (int)((unsigned)x * 77u); } };
__device__ const Thing *thing(unsigned which) {
  static __device__ char places[3][16];
  return which == 0 ? new (places[0]) Thing : which == 1 ? (const Thing *)new (places[1]) Lane : (const Thing *)new (places[2]) Far;
}
struct Pack { int a; short b; unsigned char c[5]; bool d; long long e; };
__device__ void inner(Pack *pack, unsigned *sum, int k) {
  for (int i = 0; i < k; i++) pack->c[i] = (unsigned char)(pack->c[(i + 1) % 5] * 3 + i);
  *sum += (unsigned)pack->c[k] + (pack->d ? 7u : 0u);
}
__device__ __noinline__ void outer(Pack *pack, unsigned *sum, int k) {
  if (k & 1) pack->a ^= (int)*sum;
  inner(pack, sum, k);
  pack->e = (long long)((unsigned long long)pack->e * 5ull + (unsigned)pack->b);
}
// The lanes of a warp that are here, each of which gets what the next one below it holds; the first, its own.
__device__ unsigned swap_in(unsigned lanes, unsigned value, unsigned *mail, int thread) {
  const int below = 31 - __clz((int)(lanes & ((1u << (thread & 31)) - 1u)));
  mail[thread] = value;
  __syncwarp(lanes);
  value = below < 0 ? value : mail[(thread & ~31) + below];
  __syncwarp(lanes);
  return value;
}
"""

START_OF_MAIN = """
int main() {
  static int in[32 * 1024];  // a row of 32 for each thread along x
  static unsigned out[4096], sums[192], extra[9 * 4096], mix;
  static double numbers[144];
  unsigned seed = 12345;
  for (int &x : in) { seed = seed * 1664525u + 1013904223u; x = (int)(seed >> 8) % 1000 - 300; }
  memset(in + 31 * 1024, 0, 4096);
  for (int i = 0; i < 1024; i++) ((bool *)(in + 31 * 1024))[i] = in[i] > 0;
  int *din; unsigned *dout, *dsums, *dextra; double *dnumbers;
  cudaMalloc(&dextra, sizeof extra); cudaMalloc(&dnumbers, sizeof numbers);
  cudaMalloc(&din, sizeof in); cudaMalloc(&dout, sizeof out); cudaMalloc(&dsums, sizeof sums);
  cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
"""


def write_launch(rng, kernel):
    x, y, z = rng.choice(BLOCKS)
    grid = rng.choice([1, 2, 3])
    kind = "floating" if kernel.floating else "integer"
    return f"""  cudaMemset(dout, 0, sizeof out); cudaMemset(dsums, 0, sizeof sums); cudaMemset(dnumbers, 0, sizeof numbers);
  cudaMemset(dsums + 32, 0xff, 64); cudaMemset(dsums + 64, 0xff, 64); cudaMemset(dextra, 0, sizeof extra);
  {kernel.name}<<<{grid}, dim3({x}, {y}, {z}), {x * y * z * 4}>>>(din, dout, dsums, dnumbers, dextra, {rng.randrange(0, 9)});
  std::printf("{kernel.name} ({x},{y},{z}) {kind} %s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost); cudaMemcpy(sums, dsums, sizeof sums, cudaMemcpyDeviceToHost);
  cudaMemcpy(extra, dextra, sizeof extra, cudaMemcpyDeviceToHost); cudaMemcpy(numbers, dnumbers, sizeof numbers, cudaMemcpyDeviceToHost);
  for (int i = 0; i < {grid * x * y * z}; i++) std::printf("%08x%c", out[i], i % 16 == 15 ? '\\n' : ' ');
  for (unsigned s : sums) std::printf(" %08x", s);
  for (double d : numbers) {{ unsigned long long bits; memcpy(&bits, &d, 8); std::printf(" %llx", bits); }}
  mix = 0;
  for (unsigned e : extra) mix = mix * 31u + e;
  std::printf("\\nextra %08x\\n", mix);"""


def write_program(rng):
    kernels = [Kernel(rng, f"k{i}") for i in range(KERNELS_A_PROGRAM)]
    text = [FUNCTIONS] + [kernel.write() for kernel in kernels] + [START_OF_MAIN]
    text += [write_launch(rng, kernel) for kernel in kernels]
    return "\n".join(text + ["  return 0;\n}\n"])
