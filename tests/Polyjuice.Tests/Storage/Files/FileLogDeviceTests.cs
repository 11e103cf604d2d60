using Polyjuice.Storage;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Storage;

public sealed class FileLogDeviceTests : LogDeviceContract
{
    private readonly TestFolder _folder = new();

    protected override ValueTask<ILogDevice> OpenAsync() => new(new FileLogDevice(_folder.File("logs"), flush: true));

    protected override ValueTask CleanUpAsync()
    {
        _folder.Dispose();
        return ValueTask.CompletedTask;
    }
}
