using Polyjuice.Storage;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Storage;

/// <summary>
/// The device that other tests rely on keeps the contract too,
/// except for what only a place outside of the process needs.
/// </summary>
public sealed class MemoryDeviceTests : LogDeviceContract
{
    private readonly MemoryDevice _device = new();

    protected override bool HasLock => false;

    protected override ValueTask<ILogDevice> OpenAsync() => new(_device);
}
