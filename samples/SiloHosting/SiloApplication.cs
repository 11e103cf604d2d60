using SiloHosting.Api;

namespace SiloHosting;

/// <summary>
/// What differs from silo to silo, beside its grains: Orleans finds those in what the program refers to.
/// </summary>
/// <param name="Name">
/// 3 to 63 lower-case letters and digits. Unless settings say otherwise it is the name of the cluster, of the service
/// and of the logs' container.
/// </param>
/// <param name="Map">Adds its endpoints.</param>
public sealed record SiloApplication(string Name, Action<ApiRoutes> Map);
