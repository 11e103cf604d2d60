using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>Devices as a store makes them, and with settings that only tests have.</summary>
internal static class PostgreSqlDevices
{
    public static async Task<PostgreSqlLogDevice> OpenAsync(
        PostgreSqlLogOptions options, PostgreSqlDeviceSettings? settings = null)
    {
        var device = new PostgreSqlLogDevice(
            PostgreSqlDataSources.Create(options),
            (settings
                ?? new()) with { Schema = options.Schema, Prefix = options.KeyPrefix,
                LeaseDuration = options.LeaseDuration, RequestTimeout = options.RequestTimeout }, ownsSource: true);
        await device.Tables.PrepareAsync(options.CreateSchema, mayBeStandby: false, logger: null, default);
        return device;
    }
}
