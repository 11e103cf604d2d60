using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans;

namespace BankAccount.Tests;

/// <summary>The sample's own host.</summary>
public sealed class RunningBank : IAsyncLifetime
{
    private IHost? _host;

    public IGrainFactory Grains => _host!.Services.GetRequiredService<IGrainFactory>();

    public Task InitializeAsync()
    {
        var ports = LoopbackPorts.Free(2);
        _host = Bank.Build(ports[0], ports[1], $"bank-{ports[0]}");
        return _host.StartAsync();
    }

    public async Task DisposeAsync()
    {
        if (_host is null) return;
        await _host.StopAsync();
        _host.Dispose();
    }
}
