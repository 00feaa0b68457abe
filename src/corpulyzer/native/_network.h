/* The network of network.py in C: the same chances, without the cost of forty calls on small arrays.

   Blocks are rows here: the outputs of a layer for a block are consecutive, and its neighbours are next to it.
   Sixteen numbers for four blocks at a time keep any processor's arithmetic units busy. */

/* The products are compiled for several processors, where the loader can choose between them. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

enum { WIDTH = 32, NARROW = 16, MEANS = 8, TAPS = 5, NEAR_STRIDE = 1, FAR_STRIDE = 3 };
enum { LANES = 16, TOGETHER = 4, MARGIN = TAPS / 2 * FAR_STRIDE };
enum { AROUND = MEANS * ANCESTORS, GUESSES = 1 + 2 * ANCESTORS, MOST_WEIGHTS = 14 };
enum {
    FEATURES_W, FEATURES_B, ELEMENT, NEAR, NEAR_ELEMENTS, NEAR_PAGE, NEAR_B, FAR, FAR_B, GUESS, GUESS_B, SECOND,
    SECOND_B, ANSWER
};
#define GUESS_SCALE 0.3f
#define MOST_LOGIT 30.0f

typedef float Lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float)), may_alias));

/* How many numbers each of the weights has, in the order in which they lie. */
static const int64_t SIZES[MOST_WEIGHTS] = {
    FEATURES * WIDTH, WIDTH, WIDTH * NARROW, TAPS * WIDTH * WIDTH, AROUND * WIDTH, WIDTH * WIDTH, WIDTH,
    TAPS * WIDTH * WIDTH, WIDTH, 3 * WIDTH, 1, (3 * WIDTH + GUESSES) * NARROW, NARROW, NARROW,
};

static inline int64_t in_lanes(int64_t size) { return (size + LANES - 1) / LANES * LANES; }

typedef struct {
    const float *weights[MOST_WEIGHTS];        /* matrices input by input */
    const float *matrix;
    const uint64_t *signs;
    const int64_t *first, *last;
    const double *words;
    float *chances;
    int64_t count;
    float *own, *near, *far;                   /* by block, WIDTH each; the last two with a margin at both ends */
    float *means, *around, *guesses, *second;  /* by block */
    float *share;                              /* by block: how much it counts in means */
    double *running;                           /* sums up to each block, of MEANS values */
    double *shares;                            /* sums up to each block, of its share */
    double one;                                /* the share of a single word */
} Run;

/* Add to each of `rows` rows of `outputs` numbers its `inputs` numbers times the weights. */
FOR_EACH_PROCESSOR
static void add_products(float *out, int64_t outputs, const float *in, int64_t pitch, int64_t inputs,
                         const float *weights, int64_t rows) {
    int64_t row = 0;
    for (; row + TOGETHER <= rows; row += TOGETHER) {
        const float *a = in + row * pitch, *b = a + pitch, *c = b + pitch, *d = c + pitch;
        for (int64_t at = 0; at < outputs; at += LANES) {
            Lanes *to = (Lanes *)(out + row * outputs + at);
            Lanes *to_b = (Lanes *)((float *)to + outputs), *to_c = (Lanes *)((float *)to_b + outputs);
            Lanes *to_d = (Lanes *)((float *)to_c + outputs);
            Lanes sum_a = *to, sum_b = *to_b, sum_c = *to_c, sum_d = *to_d;
            for (int64_t i = 0; i < inputs; i++) {
                Lanes weight = *(const Lanes *)(weights + i * outputs + at);
                sum_a += a[i] * weight;
                sum_b += b[i] * weight;
                sum_c += c[i] * weight;
                sum_d += d[i] * weight;
            }
            *to = sum_a;
            *to_b = sum_b;
            *to_c = sum_c;
            *to_d = sum_d;
        }
    }
    for (; row < rows; row++) {
        const float *a = in + row * pitch;
        for (int64_t at = 0; at < outputs; at += LANES) {
            Lanes *to = (Lanes *)(out + row * outputs + at);
            Lanes sum = *to;
            for (int64_t i = 0; i < inputs; i++) sum += a[i] * *(const Lanes *)(weights + i * outputs + at);
            *to = sum;
        }
    }
}

static void set_rows(float *out, const float *bias, int64_t outputs, int64_t rows) {
    for (int64_t row = 0; row < rows; row++) memcpy(out + row * outputs, bias, outputs * sizeof(float));
}

FOR_EACH_PROCESSOR
static void rectify(float *values, int64_t count) {
    for (int64_t i = 0; i < count; i++) values[i] = values[i] > 0 ? values[i] : 0;
}

/* Add the weights of the binary features that are 1 for each block: most are 0. */
FOR_EACH_PROCESSOR
static void add_signs(float *out, const uint64_t *signs, const float *weights, int64_t rows) {
    for (int64_t row = 0; row < rows; row++, out += WIDTH)
        for (int k = 0; k < SIGN_WORDS; k++)
            for (uint64_t left = *signs++; left; left &= left - 1) {
                const float *weight = weights + (k * 64 + __builtin_ctzll(left)) * WIDTH;
                for (int64_t at = 0; at < WIDTH; at += LANES)
                    *(Lanes *)(out + at) += *(const Lanes *)(weight + at);
            }
}

/* Add the contribution of each block to its neighbours, `stride` apart, by the weights for each place beside it.

   Half of the outputs of a layer are 0 and are skipped. The weights are stored by input and then by place.
   Rows before the first block and behind the last are written to, too. */
FOR_EACH_PROCESSOR
static void tell_neighbours(float *out, const float *in, int64_t stride, const float *weights, int64_t rows) {
    for (int64_t row = 0; row < rows; row++, in += WIDTH) {
        uint32_t all = 0; /* a bit for each input that says something */
        for (int i = 0; i < WIDTH; i++) all |= (uint32_t)(in[i] != 0) << i;
        for (int64_t at = 0; at < WIDTH; at += LANES) {
            Lanes *to[TAPS], sums[TAPS];
            for (int tap = 0; tap < TAPS; tap++) {
                to[tap] = (Lanes *)(out + (row + (TAPS / 2 - tap) * stride) * WIDTH + at);
                sums[tap] = *to[tap];
            }
            for (uint32_t left = all; left; left &= left - 1) {
                int i = __builtin_ctz(left);
                const float *weight = weights + i * TAPS * WIDTH + at;
                for (int tap = 0; tap < TAPS; tap++) sums[tap] += in[i] * *(const Lanes *)(weight + tap * WIDTH);
            }
            for (int tap = 0; tap < TAPS; tap++) *to[tap] = sums[tap];
        }
    }
}

static void weigh_blocks(Run *run) {
    double whole = 0;
    for (int64_t i = 0; i < run->count; i++) whole += sqrt(run->words[i]);
    run->one = 1 / whole;
    run->shares[0] = 0;
    for (int64_t i = 0; i < run->count; i++) {
        run->share[i] = (float)(sqrt(run->words[i]) * run->one);
        run->shares[i + 1] = run->shares[i] + run->share[i];
    }
}

static inline double inside(const double *sums, int64_t first, int64_t last) { return sums[last] - sums[first]; }

/* The means over the elements around each block of a few numbers of each block inside them. */
FOR_EACH_PROCESSOR
static void take_means(Run *run) {
    memset(run->running, 0, MEANS * sizeof(double));
    for (int64_t i = 0; i < run->count; i++) {
        double *sums = run->running + i * MEANS;
        for (int k = 0; k < MEANS; k++) sums[MEANS + k] = sums[k] + run->means[i * NARROW + k] * run->share[i];
    }
    for (int64_t i = 0; i < run->count; i++)
        for (int64_t above = 0; above < ANCESTORS; above++) {
            int64_t first = run->first[i * ANCESTORS + above], last = run->last[i * ANCESTORS + above];
            const double *start = run->running + first * MEANS, *end = run->running + last * MEANS;
            double scale = 1 / inside(run->shares, first, last);
            float *to = run->around + i * AROUND + above;
            for (int k = 0; k < MEANS; k++) to[k * ANCESTORS] = (float)((end[k] - start[k]) * scale);
        }
}

static inline float sigmoid(float value) {
    value = value > MOST_LOGIT ? MOST_LOGIT : value < -MOST_LOGIT ? -MOST_LOGIT : value;
    return 1 / (1 + expf(-value));
}

static inline float product(const float *values, const float *weights, int64_t count) { /* of whole lanes */
    Lanes sums = {0};
    for (int64_t i = 0; i < count; i += LANES) sums += *(const Lanes *)(values + i) * *(const Lanes *)(weights + i);
    float sum = 0;
    for (int k = 0; k < LANES; k++) sum += sums[k];
    return sum;
}

/* The first guess for each block, and for each element around it: its share of content, and of all content. */
FOR_EACH_PROCESSOR
static void guess(Run *run) {
    const float *weights = run->weights[GUESS];
    double *content = run->running;
    content[0] = 0;
    for (int64_t i = 0; i < run->count; i++) {
        float value = run->weights[GUESS_B][0] + product(run->own + i * WIDTH, weights, WIDTH);
        value += product(run->near + i * WIDTH, weights + WIDTH, WIDTH);
        value += product(run->far + i * WIDTH, weights + 2 * WIDTH, WIDTH);
        run->chances[i] = value;
        run->guesses[i * GUESSES] = GUESS_SCALE * value;
        content[i + 1] = content[i] + sigmoid(value) * run->share[i];
    }
    double all = content[run->count] + run->one;
    for (int64_t i = 0; i < run->count; i++)
        for (int64_t above = 0; above < ANCESTORS; above++) {
            int64_t first = run->first[i * ANCESTORS + above], last = run->last[i * ANCESTORS + above];
            double held = inside(content, first, last);
            float *to = run->guesses + i * GUESSES + 1 + above;
            to[0] = (float)(2 * held / inside(run->shares, first, last) - 1);
            to[ANCESTORS] = (float)(2 * held / all - 1);
        }
}

static void look(Run *run) { /* the layers up to the first guess */
    const float *const *weights = run->weights;
    int64_t count = run->count;
    set_rows(run->own, weights[FEATURES_B], WIDTH, count);
    add_products(run->own, WIDTH, run->matrix, FEATURES, SIGNS, weights[FEATURES_W], count);
    add_signs(run->own, run->signs, weights[FEATURES_W] + SIGNS * WIDTH, count);
    add_products(run->own, WIDTH, run->matrix + NO_SIGNS, FEATURES, FEATURES - NO_SIGNS,
                 weights[FEATURES_W] + NO_SIGNS * WIDTH, count);
    rectify(run->own, count * WIDTH);
    float page[WIDTH] = {0}, bias[WIDTH];
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < WIDTH; k++) page[k] += run->own[i * WIDTH + k] * run->share[i];
    memcpy(bias, weights[NEAR_B], sizeof bias);
    add_products(bias, WIDTH, page, WIDTH, WIDTH, weights[NEAR_PAGE], 1);
    memset(run->means, 0, count * NARROW * sizeof(float));
    add_products(run->means, NARROW, run->own, WIDTH, WIDTH, weights[ELEMENT], count);
    take_means(run);
    set_rows(run->near, bias, WIDTH, count);
    tell_neighbours(run->near, run->own, NEAR_STRIDE, weights[NEAR], count);
    add_products(run->near, WIDTH, run->around, AROUND, AROUND, weights[NEAR_ELEMENTS], count);
    rectify(run->near, count * WIDTH);
    set_rows(run->far, weights[FAR_B], WIDTH, count);
    tell_neighbours(run->far, run->near, FAR_STRIDE, weights[FAR], count);
    rectify(run->far, count * WIDTH);
}

FOR_EACH_PROCESSOR
static void answer(Run *run) {
    const float *weights = run->weights[SECOND];
    int64_t count = run->count;
    set_rows(run->second, run->weights[SECOND_B], NARROW, count);
    add_products(run->second, NARROW, run->own, WIDTH, WIDTH, weights, count);
    add_products(run->second, NARROW, run->near, WIDTH, WIDTH, weights + WIDTH * NARROW, count);
    add_products(run->second, NARROW, run->far, WIDTH, WIDTH, weights + 2 * WIDTH * NARROW, count);
    add_products(run->second, NARROW, run->guesses, GUESSES, GUESSES, weights + 3 * WIDTH * NARROW, count);
    rectify(run->second, count * NARROW);
    for (int64_t i = 0; i < count; i++)
        run->chances[i] = sigmoid(run->chances[i] + product(run->second + i * NARROW, run->weights[ANSWER], NARROW));
}

/* Room for all that a run keeps of `count` blocks: to be freed with `room` and `sums`. */
static int take_room(Run *run, float **room, double **sums) {
    int64_t count = run->count, row = 3 * WIDTH + 2 * NARROW + AROUND + GUESSES + 2;
    *room = PyMem_Malloc((count * row + 4 * MARGIN * WIDTH + LANES) * sizeof(float));
    *sums = PyMem_Malloc((count + 1) * (MEANS + 1) * sizeof(double));
    if (!*room || !*sums) {
        PyErr_NoMemory();
        return 0;
    }
    run->own = *room + LANES - (uintptr_t)*room / sizeof(float) % LANES;
    run->near = run->own + (count + MARGIN) * WIDTH;
    run->far = run->near + (count + 2 * MARGIN) * WIDTH;
    run->means = run->far + (count + MARGIN) * WIDTH;
    run->second = run->means + count * NARROW;
    run->around = run->second + count * NARROW;
    run->guesses = run->around + count * AROUND;
    run->share = run->guesses + count * GUESSES;
    run->chances = run->share + count;
    run->running = *sums;
    run->shares = *sums + (count + 1) * MEANS;
    return 1;
}

/* Fill in how likely one network thinks each block of a run. */
static void judge(Run *run, const float *weights) {
    for (int i = 0; i < MOST_WEIGHTS; weights += in_lanes(SIZES[i++])) run->weights[i] = weights;
    look(run);
    guess(run);
    answer(run);
}

typedef struct { float chance; int64_t block; double words; } Ranked;

static int compare(const void *one, const void *other) { /* the likeliest first, of two alike the first */
    const Ranked *a = one, *b = other;
    if (a->chance != b->chance) return a->chance > b->chance ? -1 : 1;
    return a->block < b->block ? -1 : 1;
}

/* How far to go down the ranked blocks for the largest F1 that can be expected; `most` is that F1. */
static int64_t most_expected(const double *chances, const Ranked *ranked, int64_t count, double *most) {
    double right = 0, so_far = 0, all = 0;
    int64_t last = 0;
    *most = -1;
    for (int64_t i = 0; i < count; i++) right += chances[i] * ranked[i].words;
    for (int64_t i = 0; i < count; i++) {
        so_far += chances[i] * ranked[i].words;
        all += ranked[i].words;
        double expected = 2 * so_far / (all + right);
        if (expected > *most) { *most = expected; last = i; }
    }
    return last;
}

/* The least chance of those that are chosen: as `best_threshold` of main_content.py has it; below 0 without memory. */
static double threshold_of(const float *likely, const double *words, int64_t count, double least, double clear) {
    double best = 2, most;
    Ranked *ranked = PyMem_Malloc(count * (sizeof(Ranked) + sizeof(double)));
    if (!ranked) {
        PyErr_NoMemory();
        return -1;
    }
    for (int64_t i = 0; i < count; i++) {
        Ranked each = {likely[i], i, words[i]};
        ranked[i] = each;
    }
    qsort(ranked, count, sizeof(Ranked), compare);
    double *chances = (double *)(ranked + count);
    for (int64_t i = 0; i < count; i++) chances[i] = ranked[i].chance;
    if (chances[0] >= least) {
        int64_t last = most_expected(chances, ranked, count, &most);
        if (most < clear) {
            for (int64_t i = 0; i < count; i++) {
                double for_it = cbrt(chances[i]), against = cbrt(1 - chances[i]);
                chances[i] = for_it / (for_it + against);
            }
            last = most_expected(chances, ranked, count, &most);
        }
        best = ranked[last].chance;
    }
    PyMem_Free(ranked);
    return best;
}
