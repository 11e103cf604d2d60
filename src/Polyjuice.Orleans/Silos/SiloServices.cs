using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Metadata;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// What an engine uses of its silo's services. Each is looked up when it is first used, because what Orleans makes it
/// of may need the engine: directories and placement do. Thread-safe.
/// </summary>
internal sealed class SiloServices(IServiceProvider services)
{
    private IGrainFactory? _grains;
    private IClusterMembershipService? _membership;
    private IClusterManifestProvider? _manifests;
    private EngineServiceClient? _peers;
    private IEngineLink? _link;

    /// <summary>Makes references to grains.</summary>
    public IGrainFactory Grains => _grains ??= services.GetRequiredService<IGrainFactory>();

    /// <summary>The cluster's membership.</summary>
    public IClusterMembershipService Membership =>
        _membership ??= services.GetRequiredService<IClusterMembershipService>();

    /// <summary>What silos say of themselves.</summary>
    public IClusterManifestProvider Manifests =>
        _manifests ??= services.GetRequiredService<IClusterManifestProvider>();

    /// <summary>The engines of other silos, to ask.</summary>
    public EngineServiceClient Peers => _peers ??= services.GetRequiredService<EngineServiceClient>();

    /// <summary>The engines of other silos, to send to.</summary>
    public IEngineLink Link => _link ??= services.GetRequiredService<IEngineLink>();
}
