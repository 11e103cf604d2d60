using Polyjuice.Lab.Training;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Lab.Tests.Training;

public sealed class LearnedGainTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_setting_that_is_measured_again_takes_the_place_of_its_earlier_line()
    {
        var file = Path.Combine(_folder.Path, "gains.json");
        await LearnedGain.AddAsync(file, Gain("tpcc", null, silos: 2, ratio: 1.1));
        await LearnedGain.AddAsync(file, Gain("micro", 0.9, silos: 2, ratio: 1.2));
        await LearnedGain.AddAsync(file, Gain("tpcc", null, silos: 1, ratio: 1.3));
        await LearnedGain.AddAsync(file, Gain("tpcc", null, silos: 2, ratio: 1.4));

        Assert.Equal([1.2, 1.3, 1.4], (await LearnedGain.ReadAsync(file)).Select(gain => gain.Ratio));
    }

    [Fact]
    public void A_line_says_what_was_measured_and_how_sure_it_is()
    {
        var table = GainTable.Of([
            Gain("micro", 0.9, silos: 2, ratio: 1.2), Gain("tpcc", null, silos: 1, ratio: 0.8) with { Rounds = 0 }
        ]);

        Assert.Contains(
            "| micro, small, θ 0.9 | 2 | 0.5 ms, 2 ms | 120/s | `occ`, 100/s | 1.20 × (1.10 … 1.30) |", table,
            StringComparison.Ordinal);
        Assert.Contains(
            "| tpcc, small | 1 | 0.5 ms, 2 ms | out in the race | occ | 0.80 × (0.70 … 0.90) |", table,
            StringComparison.Ordinal);
    }

    private static LearnedGain Gain(string workload, double? theta, int silos, double ratio) =>
        new(
            workload, "small", theta, silos, 64, 0.5, 2, 45, "learned", 100 * ratio, "occ", 100, ratio, ratio - 0.1,
            ratio + 0.1, 12);
}
