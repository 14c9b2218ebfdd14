# SPDX-License-Identifier: GPL-2.0-or-later
"""What the text of the TimeGraph paper (USENIX ATC 2011, section 6) says of its figures, and
that of the LoGA paper (section 5) of its: loga7 to loga11, and that of the Pegasus paper
(USENIX ATC 2011, section 6.3): pegasus4 to pegasus9, and that of the schedGPU paper (TPDS 2018,
section 7): schedgpu11 to schedgpu15.

Heights of bars and courses of curves that the text does not give are not here: nothing
was read off a drawing. A statement has a range, or words alone.
"""
import dataclasses


@dataclasses.dataclass
class Statement:
    """what: in our words, with the unit; low to high: as the paper has it; said: its words."""
    what: str
    low: float = None
    high: float = None
    said: str = ""


GAIN_PRIORITY = "priority gains on none, %"
GAIN_PE = "PE gains on priority, %"
GAIN_AE = "AE gains on priority, %"
TIMES = "priority against none, times"
LOSS_ENGINE = "priority loses on figure 7, %"
LOSS_RESERVE = "PE loses on figure 7, %"
AE_OVER_PE = "AE gains on PE, %"
LOSS_ALONE = "priority loses on alone, %"
LOSS_PE = "PE loses on alone, %"
CAP = "both together, % of the GPU"
FPS_24 = "pictures a second with PE"
WITHIN_ENGINE = "engine: groups within 15 %, %"
WITHIN_BOMB = "clearspd: groups within 7 %, %"
WITHIN_GAME = "game: groups within 20 %, %"
COST_HT = "HT for all: loss, %"
COST_SERVER = "HT, server PRT: loss, %"
COST_PRT = "PRT for all: loss, %"
TICKS = "events against ticks, times"

LOGA_SHORT = "longer, throttle 10 us, mean, %"
LOGA_LONG = "longer, throttle 100 us, mean, %"
NEON_SHORT = "NEON: longer, throttle 10 us, mean to worst, %"
NEON_LONG = "NEON: longer, throttle 100 us, mean, %"
LENGTH = "length underestimated by, %"
LOAD = "load is off by, %"

OVER_NONE = "median gains on none, %"
COORDINATED = "median gains on the better of XC and SLAF, %"
COUPLED_GAIN = "median gains on none (coordinated), %"

SPEEDUP = "twelve against one after the other, times"
OVER_PACKED = "twelve against packed by hand, times"
SPEEDUP_MIX = "the mix against one after the other, times"
EACH = {name: f"one {name}, s" for name in ("ARA", "MUMmerGPU", "GPU-BLAST")}
OVER_FIFO = "less time than FIFO, %"
DOM3_TIMES = "work of dom3 against none, times"
DOM4_GAIN = "work of dom4 gains on none, %"

STATEMENTS = {
    "fig7": [
        Statement(GAIN_PRIORITY, 2, 27, "about 11% for OpenArena, 27% for World of Padman, 22% "
                  "for Urban Terror, and 2% for UT2004"),
        Statement(GAIN_PE, 2, 21, "improved by 2-21% under PE reservation"),
        Statement(GAIN_AE, 4, 36, "and by 4-36% under AE reservation"),
    ],
    "fig8": [
        Statement(TIMES, 3, 6, "about 3-6 times faster than the vanilla Nouveau driver"),
        Statement(LOSS_ENGINE, 24, 52, "a performance loss of about 24-52% as compared to the "
                  "previous setup"),
        Statement(LOSS_RESERVE, 0, 3, "limits this performance loss to be within 3%"),
        Statement(AE_OVER_PE, 0, 5, "improvements of up to 5% over the PE policy"),
    ],
    "fig9": [
        Statement(LOSS_ALONE, 7, 20, "reduced to 7-20% by using GPU priorities"),
        Statement(LOSS_PE, None, None, "leveraging GPU reservation results in nearly no "
                  "performance loss"),
    ],
    "fig10": [
        Statement(CAP, 90, 90, "the total GPU resource usage of the two applications is capped "
                  "at 90%"),
    ],
    "fig11": [
        Statement("frame rate as time goes by", None, None,
                  "GPU reservation can provide stable frame-rates on a time for the Engine widget"),
    ],
    "fig12": [
        Statement("none", None, None, "exhibits high variability and unpredictability"),
        Statement("PRT", None, None, "predictable response times for the three tasks"),
        Statement("PE", None, None, "the absolute performance is lower than expected for smaller "
                  "reserves"),
    ],
    "fig13": [
        Statement(FPS_24, 24, 24, "closely follows the ideal frame-rate of 24 fps"),
    ],
    "fig14": [
        Statement(WITHIN_ENGINE, 100, 100, "performs within a 15% error margin on the Engine widget"),
        Statement(WITHIN_BOMB, 100, 100, "can predict GPU execution costs within a 7% error margin"),
        Statement(WITHIN_GAME, 65, 65, "only about 65% of the observed GPU command groups have the "
                  "predicted GPU execution costs within a 20% error margin"),
    ],
    "fig15": [
        Statement(COST_HT, 4, 4, "about 4% performance overhead for the games"),
        Statement(COST_SERVER, 0, 10, "increases the overhead for the games up to about 10%"),
        Statement(COST_PRT, 17, 28, "a non-trivial overhead of about 17-28%"),
    ],
    "fig16": [
        Statement(TICKS, 15, 30, "about 15-30 times better scores than the tick-driven scheduler "
                  "for most test cases"),
    ],
    "loga7": [
        Statement(LOGA_SHORT, None, None, "the average turnaround time mathematically decreased "
                  "under LoGA, although not by a statistically significant amount"),
        Statement(LOGA_LONG, 0.7, 0.7, "the event policy showed an average increase of only 0.7%"),
        Statement(NEON_SHORT, 11.4, 23.4, "increases by 11.4% on average for the sampling policy, "
                  "with the worst case (nn) being as high as 23.4%"),
        Statement(NEON_LONG, 7.6, 7.6, "the average increase in turnaround time caused by the "
                  "sampling policy was 7.6%"),
    ],
    "loga8": [
        Statement("time", None, None, "LoGA [...] shows no significant overhead, irrespective "
                  "of the number of concurrent applications"),
    ],
    "loga9": [
        Statement(LENGTH, 0, 6, "LoGA underestimates throttle's kernel length by up to 6%"),
    ],
    "loga10": [
        Statement(LOAD, 0, 2.5, "the GPU load measured by LoGA is within 2.5% of the intended "
                  "load in all cases"),
    ],
    "loga11": [
        Statement("time", None, None, "brings the turnaround time of all applications closer to "
                  "the calculated optimum, but in most cases keeps the application's runtime below "
                  "the calculated value"),
    ],
    "pegasus4": [
        Statement(OVER_NONE, 33, None, "they still perform at least 33% better than None when "
                  "comparing the medians"),
        Statement(COORDINATED, 4, 20, "AugC and CoSched add an additional 4%-20% improvement"),
        Statement(COUPLED_GAIN, None, None, "AugC and CoSched show the best performance due to "
                  "their higher degrees of coordination"),
    ],
    "pegasus5": [
        Statement(DOM3_TIMES, 2.4, 2.4, "Dom3 succeeds in performing 2.4X or 140% more work when "
                  "compared with None"),
    ],
    "pegasus6": [
        Statement(DOM4_GAIN, 18, None, "it still sees a performance improvement of at least 18% "
                  "compared to XC (lowest performance improvement among all scheduling schemes for "
                  "the domain) with None"),
    ],
    "pegasus7": [
        Statement("work", None, None, "AugC tries to improve the throughput of all VMs, which "
                  "results in a somewhat lower value for Dom2"),
        Statement("latency", None, None, "CoSched gives priority to Dom2 and can penalize other "
                  "VMs, as evident from the GPU latencies"),
    ],
    "pegasus8": [
        Statement("latency_equal", None, None, "all scheduling schemes see much lower latencies "
                  "and latency variations than None"),
        Statement("latency_credits", None, None, "the latencies seen for Dom2 and Dom3 are almost "
                  "equal, despite a big difference in their credit values, for all schemes except RR"),
    ],
    "pegasus9": [
        Statement("throughput", None, None, "There are situations in which scheduling is not "
                  "effective"),
    ],
    "schedgpu11": [
        Statement(SPEEDUP, 1.5, 10, "there is a 10x speed-up for ARA, nearly 9x speed-up for MUMmerGPU "
                  "and close to 1.5x speed-up for GPU-BLAST"),
        Statement(OVER_PACKED, 2, 2, "the speed-up is approximately doubled when running 12 concurrent "
                  "instances of ARA and MUMmerGPU"),
    ],
    "schedgpu12": [
        Statement("gpu", None, None, "GPU utilisation is improved over 10 times for a single instance "
                  "and nearly 2 times over six instances for ARA"),
        Statement("memory", None, None, "GPU memory utilisation is improved over 10 times for a single "
                  "instance of MUMmerGPU and nearly 2.25 times over six instances of ARA"),
    ],
    # Table II: one that is alone, and the mean of twelve.
    "schedgpu13": [
        Statement(EACH["ARA"], 226.847, 260.108, "226.847 and 260.108 s"),
        Statement(EACH["MUMmerGPU"], 322.799, 370.169, "322.799 and 370.169 s"),
        Statement(EACH["GPU-BLAST"], 69.144, 184.751, "69.144 and 184.751 s"),
    ],
    "schedgpu15": [
        Statement("waited", None, None, "CPU cores of the jobs waiting for GPU memory remain idle as shown in "
                  "Figure 15a and Figure 15b. This is noted for MUMmerGPU and GPU-BLAST instances"),
        Statement("cpu", None, None, "assigning a higher priority to MUMmerGPU instances reduces waiting times "
                  "for free GPU memory, thereby the CPU is idle for shorter periods of time"),
    ],
    "schedgpu14": [
        Statement(SPEEDUP_MIX, 0, 5, "a speed-up of up to 5 times in the total execution time"),
        Statement(OVER_FIFO, 3, 3, "The MMU policy results in a reduction of nearly 3% in the execution "
                  "time of the workload over the FIFO policy"),
    ],
}
