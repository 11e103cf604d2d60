namespace Polyjuice.Deploy.Tests.Pods;

/// <summary>
/// An overlay's silos on this machine, with an Azurite of their own in the place of the overlay's storage.
/// </summary>
internal sealed class SiloPods : IAsyncDisposable
{
    /// <summary>Of tests that start such silos: one after the other, because each of them has some processes.</summary>
    public const string Collection = "silo pods";

    private readonly AzuriteServer _azurite;
    private readonly Overlay _overlay;
    private readonly IReadOnlyDictionary<string, string> _secrets;
    private readonly List<SiloPod> _pods = [];

    private SiloPods(AzuriteServer azurite, Overlay overlay)
    {
        (_azurite, _overlay) = (azurite, overlay);
        _secrets = overlay.Content("secrets")!.ToDictionary(secret => secret.Key, _ => azurite.ConnectionString);
    }

    /// <summary>All that were started, also those that have ended.</summary>
    public IReadOnlyList<SiloPod> All
    {
        get
        {
            lock (_pods) return [.. _pods];
        }
    }

    /// <summary>Starts as many as the deployment has, one after the other.</summary>
    public static async Task<SiloPods> StartAsync(Overlay overlay)
    {
        var pods = new SiloPods(await AzuriteServer.StartAsync(), overlay);
        try
        {
            for (var i = 0; i < (int)overlay.Deployment["spec"]!["replicas"]!; i++) await pods.AddAsync($"old-{i}");
            return pods;
        }
        catch
        {
            await pods.DisposeAsync();
            throw;
        }
    }

    /// <summary>Starts one more, and waits until the deployment counts it as available.</summary>
    public async Task AddAsync(string name)
    {
        var pod = await SiloPod.StartAsync(_overlay, name, _secrets);
        lock (_pods) _pods.Add(pod);
    }

    /// <summary>What all have written.</summary>
    public string Said() => string.Join('\n', All.Select(pod => pod.Said()));

    public async ValueTask DisposeAsync()
    {
        foreach (var pod in All) await pod.DisposeAsync();
        await _azurite.DisposeAsync();
    }
}
