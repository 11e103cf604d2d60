using Orleans.Runtime;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Rows;

/// <inheritdoc/>
internal sealed class RowExtension(IGrainContextAccessor accessor, GrainEngines engines) : IRowExtension
{
    private readonly IGrainContext _grain = accessor.GrainContext;

    private GrainRows Rows => _grain.GetComponent<GrainRows>() ?? [];

    /// <inheritdoc/>
    public async Task<bool> Wake(string state)
    {
        if (Rows.Find(row => row.Key.State == state) is not { } row) return false;
        await engines.Of(_grain).Rows.RegainAsync(row);
        return true;
    }

    /// <inheritdoc/>
    public async Task<RowReport[]> Drain(TimeSpan timeout)
    {
        var reports = new List<RowReport>();
        foreach (var row in Rows) reports.Add(await DrainAsync(row, Environment.TickCount64, timeout));
        return [.. reports];
    }

    // At rest says what the engine knows; what counts is what is stored.
    private async Task<RowReport> DrainAsync(GrainRow row, long start, TimeSpan timeout)
    {
        while (true)
        {
            var left = timeout - TimeSpan.FromMilliseconds(Environment.TickCount64 - start);
            var isAtRest = await engines.Of(_grain).Rows.RestAsync(row, left, CancellationToken.None);
            var report = await row.InspectAsync(CancellationToken.None);
            if ((isAtRest && report.IsDrained) || left <= TimeSpan.Zero) return report;
            await Task.Delay(TimeSpan.FromMilliseconds(20));
        }
    }
}
